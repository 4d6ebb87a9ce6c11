import type { Attachment } from '@areas/sessions/contract/session';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { ActivationState, SessionState } from '@contract/run/state';
import type { DecisionInput } from '../base/decision-input';
import { budgetVerdict } from '../limits/budget';
import { needReady } from './readiness';
import { carry } from './replay-context';

type Dispatched = RunEventOf<'turn.dispatched'>;

interface Prompt
  extends Pick<
    Dispatched,
    'ordinal' | 'kind' | 'prompt' | 'of' | 'resendOf' | 'lane' | 'label' | 'carried' | 'messages'
  > {
  readonly activation: ActivationState;
  readonly attachments: readonly Attachment[];
}

/** Sends a prompt once its session is ready and the budget allows it; until then, what must happen first. */
export function dispatch(
  moment: DecisionInput,
  session: SessionState,
  { activation, ...turn }: Prompt,
): RunEvent[] {
  const waits = needReady(moment, activation, session) ?? budgetVerdict(moment, activation.id);
  if (waits !== null) return waits;
  return [
    {
      type: 'turn.dispatched',
      turnId: moment.state.last.turn + 1,
      sessionId: session.id,
      activationId: activation.id,
      ...turn,
      ...carry(moment.state, session, { ...turn, attachments: [...turn.attachments] }),
    },
  ];
}
