import { evidencePartSchema } from '@areas/evidence/contract/evidence';
import { amount, whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import type { GateState, PlatformState } from '@contract/run/platform-state';
import { z } from 'zod';

/** The last time the same question was asked and rejected or sent back. */
export const askedBeforeSchema = lazyObject(() => ({
  gateId: whole(),
  /** How many times the question has been asked by now. */
  round: whole(),
  /** The answer, as its button says it. */
  answer: z.string(),
  /** The operator's words. */
  reason: z.string(),
  at: amount(),
  evidence: z.string().nullable(),
  evidence_parts: z.array(evidencePartSchema).optional(),
}));
export type AskedBefore = z.infer<typeof askedBeforeSchema>;

const stepOf = ({ activations }: PlatformState, { activationId }: GateState): string | null =>
  activations[activationId ?? 0]?.stepId ?? null;

/**
 * The operator's last answer to the same question of the same step, if it rejected or sent back with words.
 * Null if it was not asked before, or was approved since.
 */
export function askedBefore(state: PlatformState, gateId: number): AskedBefore | null {
  const gate = state.gates[gateId];
  const step = gate === undefined ? null : stepOf(state, gate);
  if (gate === undefined || step === null) return null;
  const gates = Object.values(state.gates).filter(
    (one) =>
      one.id < gateId &&
      one.kind === gate.kind &&
      one.title === gate.title &&
      one.asker?.name === gate.asker?.name &&
      stepOf(state, one) === step,
  );
  const last = gates.at(-1);
  const option = last?.options.find(({ id }) => id === last.answer?.option);
  const reason = last?.answer?.reason?.trim() || last?.answer?.text?.trim();
  if (last?.answer == null || last.closedAt === null || option === undefined || !reason) return null;
  if (option.tone !== 'reject') return null;
  return {
    gateId: last.id,
    round: gates.length + 1,
    answer: option.label,
    reason,
    at: last.closedAt,
    evidence: last.evidence,
    ...(last.evidence_parts !== undefined && { evidence_parts: last.evidence_parts }),
  };
}
