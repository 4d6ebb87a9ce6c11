import { ownValue } from '@contract/own';
import type { JsonSchema } from '@main/core/step/output/format-keywords';
import { z } from 'zod';
import type { JudgeConfig } from './config';

type Criteria = Pick<JudgeConfig, 'criteria'>;

/** One judge's scores for one candidate. */
export interface Scored {
  readonly scores: Readonly<Record<string, number>>;
  readonly reason: string;
  readonly total: number;
}

const scoredSchema = z.object({ scores: z.record(z.string(), z.number()), reason: z.string() });
const answerSchema = z.record(z.string(), scoredSchema);

/** The answer format for this number of candidates. */
export function scoresFormat({ criteria, max_score }: JudgeConfig, count: number): JsonSchema {
  const score = { type: 'number', minimum: 0, maximum: max_score };
  const ids = criteria.map(({ id }) => id);
  const scored = {
    type: 'object',
    properties: {
      scores: {
        type: 'object',
        properties: Object.fromEntries(ids.map((id) => [id, score])),
        required: ids,
        additionalProperties: false,
      },
      reason: { type: 'string', minLength: 1 },
    },
    required: ['scores', 'reason'],
  };
  const names = Array.from({ length: count }, (_, index) => `candidate_${index + 1}`);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, scored])),
    required: names,
    additionalProperties: false,
  };
}

/** The scores in a valid answer, in the order shown to the judge. */
export function scoresIn(json: string, { criteria }: Criteria, count: number): Scored[] {
  const answer = answerSchema.parse(JSON.parse(json));
  return Array.from({ length: count }, (_, index) => {
    const { scores = {}, reason = '' } = ownValue(answer, `candidate_${index + 1}`) ?? {};
    return { scores, reason, total: totalOf(scores, { criteria }) };
  });
}

/** The weighted mean, on the scale of the scores. */
export function totalOf(scores: Readonly<Record<string, number>>, { criteria }: Criteria): number {
  const weights = criteria.reduce((sum, { weight }) => sum + weight, 0);
  const sum = criteria.reduce((all, { id, weight }) => all + weight * (ownValue(scores, id) ?? 0), 0);
  return rounded(sum / weights);
}

/** Rounds sums of fractions, so that mathematically equal totals are equal. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The candidate with the highest total; null if several share it. */
export function winnerOf(scored: readonly Scored[]): number | null {
  const best = Math.max(...scored.map(({ total }) => total));
  const winners = scored.flatMap(({ total }, index) => (total === best ? [index] : []));
  return winners.length === 1 ? (winners[0] ?? null) : null;
}
