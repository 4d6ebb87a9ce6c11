/** Something that the agent asked for in a turn and was not allowed. */
export interface Refusal {
  readonly title: string;
  readonly reason: string | null;
  /** How far the turn had come: tells an agent that went on from one that stopped there. */
  readonly progress: number;
}

/** An agent that asks for the same again and again is left to its own end. */
export const MOST_FOLLOW_UPS = 3;

/**
 * What the agent is told after a refusal, in the same turn; null where nothing is to be said. The protocol's answer
 * to a permission request has no place for a reason, and many agents end the turn at a refusal to hear what to do
 * instead: Codex with the stop reason `cancelled`, opencode in silence.
 */
export function followUp(
  refusals: readonly Refusal[],
  end: { readonly stopReason: string; readonly progress: number },
): string | null {
  const last = refusals.at(-1);
  if (!last || (end.stopReason !== 'end_turn' && end.stopReason !== 'cancelled')) return null;
  const stopped = end.stopReason === 'cancelled' || end.progress === last.progress;
  if (!stopped && refusals.every(({ reason }) => reason === null)) return null;
  const lines = refusals.map(({ title, reason }) =>
    reason === null ? `- ${title}` : `- ${title}: ${reason}`,
  );
  return ['The operator did not allow this:', ...lines, '', 'Go on without it.'].join('\n');
}
