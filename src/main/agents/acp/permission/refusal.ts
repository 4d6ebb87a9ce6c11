import { type AppError, appError } from '@contract/errors';

/** A request of the agent in a turn that was refused. */
export interface Refusal {
  readonly title: string;
  readonly reason: string | null;
  /** The turn's progress: distinguishes an agent that continued from one that stopped there. */
  readonly progress: number;
}

/** An agent that keeps requesting the same gets no more explanations. */
export const MOST_FOLLOW_UPS = 3;

/**
 * The message to the agent after a refusal, in the same turn; null if there is nothing to say. The protocol's
 * answer to a permission request has no place for a reason, and many agents end the turn at a refusal to be
 * told what to do instead: Codex with the stop reason `cancelled`, opencode silently.
 */
export function followUp(refusals: readonly Refusal[], end: End): string | null {
  const last = refusals.at(-1);
  if (!last || (end.stopReason !== 'end_turn' && end.stopReason !== 'cancelled')) return null;
  if (!stoppedAt(last, end) && refusals.every(({ reason }) => reason === null)) return null;
  const lines = refusals.map(({ title, reason }) =>
    reason === null ? `- ${title}` : `- ${title}: ${reason}`,
  );
  return ['The operator did not allow this:', ...lines, '', 'Go on without it.'].join('\n');
}

interface End {
  readonly stopReason: string;
  readonly progress: number;
}

/** Whether the agent stopped because of a refusal, instead of continuing without the action. */
const stoppedAt = (last: Refusal, { stopReason, progress }: End): boolean =>
  stopReason === 'cancelled' || (stopReason === 'end_turn' && progress === last.progress);

/**
 * Why a turn failed that its agent ended after a refusal without a further explanation; null if it continued.
 * Such a turn was not cancelled, whatever the agent calls its end.
 */
export function gaveUp(
  untold: readonly Refusal[],
  end: End,
  { agent, times }: { readonly agent: string; readonly times: number },
): AppError | null {
  const last = untold.at(-1);
  if (last === undefined || !stoppedAt(last, end)) return null;
  const why = last.reason === null ? last.title : `${last.title}: ${last.reason}`;
  return appError(
    'agent.not_allowed',
    `${agent} was denied permission ${times === 1 ? 'once' : `${times} times`} in this turn, and then ended the turn. Last denied: ${why}`,
    { mend: 'Allow it, or say in the prompt how to continue without it; then resume the run.' },
  );
}
