import type { GateKind } from '@contract/gate/gate';
import {
  CircleHelp,
  Clock,
  CreditCard,
  FileWarning,
  GitMerge,
  Hand,
  Hourglass,
  KeyRound,
  Scale,
  ShieldQuestion,
  Unplug,
} from 'lucide-react';
import { Ago, Until } from '../../parts/ago';
import { Marked } from '../../parts/marks';
import { answerWord } from '../../parts/words';
import { Glyph, type Icon } from '../../ui/icon';
import type { InboxRow } from './rows';

export const gateIcons: Record<GateKind, Icon> = {
  approval: Hand,
  permission: ShieldQuestion,
  interrupted_turn: Unplug,
  interrupted_command: Unplug,
  login: KeyRound,
  provider_limit: Hourglass,
  budget: CreditCard,
  project_write: FileWarning,
  review_escalation: Scale,
  merge: GitMerge,
};

export function GateListRow({ row }: { row: InboxRow }) {
  if (row.heading) {
    return (
      <>
        {row.text} <span className="count">{row.count}</span>
      </>
    );
  }
  const { gate } = row;
  const who = gate.agent ?? gate.stepTitle ?? gate.stepId;
  return (
    <div className="two-lines">
      <span className={`row-mark ${gate.status === 'open' ? 'waits' : ''}`}>
        <Glyph of={gateIcons[gate.kind] ?? CircleHelp} />
      </span>
      <span className="row-title cut">{gate.title}</span>
      <span className="row-end">
        {gate.answer ? (
          <Marked word={answerWord(gate.options, gate.answer)} markOnly />
        ) : (
          <Ago at={gate.openedAt} />
        )}
      </span>
      <span className="row-under cut">
        {who ? `${who} · ` : ''}
        {gate.runName}
      </span>
      <span className="row-end faint">
        {gate.status !== 'open' && gate.closedAt !== null && <Ago at={gate.closedAt} />}
        {gate.status === 'open' && gate.snoozedUntil !== null && (
          <span className="with-icon">
            <Glyph of={Clock} size={12} />
            <Until at={gate.snoozedUntil} />
          </span>
        )}
      </span>
    </div>
  );
}
