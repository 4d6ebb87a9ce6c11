import type { GateRow } from '@areas/gates/contract/procedures';
import type { BesidesDecisions } from './procedures';

/** Whether a decision was snoozed, and is not back yet. */
export const isSnoozed = ({ snoozedUntil }: Pick<GateRow, 'snoozedUntil'>, now: number): boolean =>
  (snoozedUntil ?? 0) > now;

type Counted = Pick<BesidesDecisions, 'replies' | 'failures' | 'pulls'>;

/** How much needs the operator now. Every badge, list and notification shows this number. */
export function attentionCount(
  gates: readonly Pick<GateRow, 'snoozedUntil'>[],
  { replies, failures, pulls }: { readonly [Part in keyof Counted]: readonly unknown[] },
  now: number,
): number {
  const open = gates.filter((gate) => !isSnoozed(gate, now));
  return open.length + replies.length + failures.length + pulls.length;
}
