import { plural } from '@renderer/client/format';
import { Ago, Elapsed, Until } from '@renderer/parts/text/ago';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Check } from '@renderer/ui/controls/field';
import { Glyph, type Icon } from '@renderer/ui/controls/icon';
import { Globe, MessageSquareShare, Pencil, RotateCw, Send, Terminal, Trash2 } from 'lucide-react';
import type { TargetState } from '../../contract/procedures';
import type { DeliveryTarget } from '../../contract/target';

const ICONS: Readonly<Record<DeliveryTarget['kind'], Icon>> = {
  openclaw: MessageSquareShare,
  webhook: Globe,
  command: Terminal,
};

const FILTERED: Readonly<Record<DeliveryTarget['filter'], string>> = {
  everything: 'everything',
  loops: 'loops only',
  trouble: 'problems only',
};

function whereOf(target: DeliveryTarget): string {
  switch (target.kind) {
    case 'openclaw':
      return target.profile;
    case 'webhook':
      return target.url;
    case 'command':
      return target.command;
  }
}

interface TargetRowProps {
  readonly target: DeliveryTarget;
  readonly state: TargetState | undefined;
  readonly testing: boolean;
  readonly onSwitch: (enabled: boolean) => void;
  readonly onTest: () => void;
  readonly onRetry: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** A target, its state, and its actions. */
export function TargetRow({ target, state, testing, ...acts }: TargetRowProps) {
  const { name } = target;
  return (
    <li aria-label={`Target ${name}`}>
      <Glyph of={ICONS[target.kind]} size={15} />
      <div className="rule-says">
        <div className="rule-line">
          <strong className={target.enabled ? '' : 'faint'}>{name}</strong>
          <span className="mono cut faint" title={whereOf(target)}>
            {whereOf(target)}
          </span>
        </div>
        <div className="rule-line faint note">
          <span>{[target.sends.join(', '), FILTERED[target.filter]].join(': ')}</span>
          <Standing state={state} enabled={target.enabled} />
        </div>
        {state?.trouble && (
          <div className="rule-line note waits-text">
            <span className="reads">
              {state.trouble.error} Waiting for <Elapsed from={state.trouble.since} to={null} />,{' '}
              {plural(state.trouble.tries, 'try', 'tries')}, next <Until at={state.trouble.nextAt} />.
            </span>
          </div>
        )}
      </div>
      <Check checked={target.enabled} onChange={(event) => acts.onSwitch(event.target.checked)}>
        On
      </Check>
      <Button icon={Send} disabled={testing} onClick={acts.onTest}>
        Send a test
      </Button>
      <IconButton
        icon={RotateCw}
        label={`Try now: ${name}`}
        disabled={(state?.open ?? 0) + (state?.givenUp ?? 0) === 0}
        onClick={acts.onRetry}
      />
      <IconButton icon={Pencil} label={`Change ${name}`} onClick={acts.onEdit} />
      <IconButton icon={Trash2} label={`Remove ${name}`} onClick={acts.onRemove} />
    </li>
  );
}

function Standing({ state, enabled }: { state: TargetState | undefined; enabled: boolean }) {
  if (state === undefined) return null;
  return (
    <>
      {!enabled && <span>off: nothing is sent</span>}
      <span>
        {state.lastDeliveredAt === null ? (
          'nothing delivered yet'
        ) : (
          <>
            last delivered <Ago at={state.lastDeliveredAt} />
          </>
        )}
      </span>
      {state.open > 0 && <span>{state.open} queued</span>}
      {state.givenUp > 0 && <span className="failed-text">{state.givenUp} given up</span>}
    </>
  );
}
