import type { RuleDraft } from '@areas/permissions/contract/rule';
import { DryRunOf } from '@areas/permissions/view/parts/dry-run';
import { type Choice, RuleFields } from '@areas/permissions/view/parts/rule-fields';
import {
  draftOf,
  type RulePlace,
  type RuleWords,
  type Span,
  wordsOf,
} from '@areas/permissions/view/parts/rule-words';
import type { RunRow } from '@contract/run/procedures';
import { useQuery } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { useEffect, useRef, useState } from 'react';
import type { GateFace } from '../face';
import { onFormKey } from './form-key';
import { SEND_CAPS } from './words-forms';

interface RuleFormProps {
  readonly gate: GateFace;
  readonly onSend: (rule: RuleDraft) => void;
  readonly onClose: () => void;
}

/**
 * The rule that will answer from now on: the narrowest is suggested, can be widened, and is tried on the
 * history.
 */
export function RuleForm({ gate, onSend, onClose }: RuleFormProps) {
  const { runId, gateId } = gate;
  const suggested = useQuery('rule.suggest', { runId, gateId });
  const run = useQuery('run.find', { name: String(runId) });
  if (suggested.value === null || run.value === null) {
    const error = suggested.error ?? run.error;
    if (error === null) return null;
    return (
      <div className="rule-form">
        <ErrorNote error={error} live />
        <footer>
          <Button tone="ghost" onClick={onClose}>
            Close
          </Button>
        </footer>
      </div>
    );
  }
  return <Filled gate={gate} draft={suggested.value} run={run.value} onSend={onSend} onClose={onClose} />;
}

const SPANS: readonly Span[] = ['run', 'hour', 'today', 'month', 'never'];

interface FilledProps extends RuleFormProps {
  readonly draft: RuleDraft;
  readonly run: RunRow;
}

function Filled({ gate, draft, run, onSend, onClose }: FilledProps) {
  const ownCheckout = gate.request?.own_checkout === true;
  const place: RulePlace = { runId: run.id, projectId: run.projectId, ownCheckout };
  const [words, setWords] = useState<RuleWords>(() => wordsOf(draft, run.projectId));
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>('[data-part="pattern"]')?.focus(), []);
  const agents: Choice[] = [
    { value: draft.agent, label: `Only ${draft.agent}` },
    { value: '*', label: 'Any agent' },
  ];
  const send = () => onSend(draftOf(words, place, Date.now()));
  return (
    <section
      ref={ref}
      className="rule-form"
      aria-label="The rule"
      onKeyDown={(event) => onFormKey(event, send, onClose)}
    >
      <RuleFields
        words={words}
        onChange={setWords}
        agents={agents}
        projects={[{ id: run.projectId, name: run.projectName }]}
        spans={SPANS}
        shows={{ path: draft.path !== null, command: draft.command !== null, everywhere: !ownCheckout }}
      />
      <DryRunOf rule={draftOf(words, place, 0)} />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" caps={SEND_CAPS} onClick={send}>
          Add the rule and allow
        </Button>
      </footer>
    </section>
  );
}
