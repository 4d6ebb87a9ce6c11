import { type AppError, appError } from '@contract/errors';

/** Something that the agent asked for in a turn and was not allowed. */
export interface Refusal {
  readonly title: string;
  readonly reason: string | null;
  /** How far the turn had come: tells an agent that continued from one that stopped there. */
  readonly progress: number;
}

/** To an agent that asks for the same again and again no more is said. */
export const MOST_FOLLOW_UPS = 3;

/**
 * What the agent is told after a refusal, in the same turn; null where nothing is to be said. The protocol's answer
 * to a permission request has no place for a reason, and many agents end the turn at a refusal to hear what to do
 * instead: Codex with the stop reason `cancelled`, opencode in silence.
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

/** Whether the agent ended at what it was not allowed, rather than having gone on without it. */
const stoppedAt = (last: Refusal, { stopReason, progress }: End): boolean =>
  stopReason === 'cancelled' || (stopReason === 'end_turn' && progress === last.progress);

/**
 * Why a turn failed that its agent ended at a refusal of which it was not told more; null where it continued. No one
 * cancelled such a turn, whatever the agent calls its end.
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
