import type { RunState, TurnState } from '@contract/run/state';
import { type AttemptState, type LoopState, openInLoop } from './state';
import { storyOf, turnsByAttempt } from './summary';

/** Null: no agent reported it. */
export interface Cost {
  /** Total time of ended attempts. */
  readonly ms: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export interface StoryCost extends Cost {
  /** Null for attempts that belong to no known story. */
  readonly storyId: string | null;
  /** Attempt numbers, oldest first. */
  readonly attempts: readonly number[];
}

/** The estimated remaining cost of open stories. */
export interface LoopForecast {
  readonly stories: number;
  /** The number of attempts that the estimate is based on. */
  readonly attempts: number;
  readonly ms: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

type Usage = NonNullable<TurnState['usage']>;

const tokensOf = ({ total_tokens, input_tokens, output_tokens }: Usage): number | null =>
  total_tokens ??
  (input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0));

const sum = (values: readonly (number | null)[]): number | null => {
  const reported = values.filter((value) => value !== null);
  return reported.length === 0 ? null : reported.reduce((total, value) => total + value, 0);
};

/** The cost of an attempt, as reported by its agent or log. */
function costOf({ startedAt, endedAt, after }: AttemptState, turns: readonly TurnState[]): Cost {
  const logged = after?.codex?.usage ?? null;
  const perTurn = turns.length === 0 ? [logged] : turns.map(({ usage }) => usage);
  const usages = perTurn.filter((usage) => usage !== null);
  return {
    ms: endedAt === null ? 0 : endedAt - startedAt,
    tokens: sum(usages.map(tokensOf)),
    costUsd: sum(usages.map(({ cost_usd }) => cost_usd)),
  };
}

const aboutOf = (attempt: AttemptState): string | null => (storyOf(attempt) ?? attempt.story)?.id ?? null;

/** Each story's cost so far, in the order in which they began. */
export function storyCosts(state: RunState, loop: LoopState): StoryCost[] {
  const turns = turnsByAttempt(state, loop);
  const byStory = new Map<string | null, StoryCost>();
  for (const attempt of loop.attempts) {
    const storyId = aboutOf(attempt);
    const before = byStory.get(storyId);
    const cost = costOf(attempt, turns.get(attempt.id) ?? []);
    byStory.set(storyId, {
      storyId,
      attempts: [...(before?.attempts ?? []), attempt.id],
      ms: (before?.ms ?? 0) + cost.ms,
      tokens: sum([before?.tokens ?? null, cost.tokens]),
      costUsd: sum([before?.costUsd ?? null, cost.costUsd]),
    });
  }
  return [...byStory.values()];
}

/** The number of open stories times the median attempt; null if no story is open or no attempt has ended. */
export function loopForecast(state: RunState, loop: LoopState): LoopForecast | null {
  const stories = openInLoop(loop).length;
  const turns = turnsByAttempt(state, loop);
  const ended = loop.attempts.filter(({ endedAt, refused }) => endedAt !== null && refused === null);
  if (stories === 0 || ended.length === 0) return null;
  const costs = ended.map((attempt) => costOf(attempt, turns.get(attempt.id) ?? []));
  const each = (values: readonly (number | null)[]): number | null => {
    const middle = median(values.filter((value) => value !== null));
    return middle === null ? null : middle * stories;
  };
  return {
    stories,
    attempts: ended.length,
    ms: each(costs.map(({ ms }) => ms)) ?? 0,
    tokens: each(costs.map(({ tokens }) => tokens)),
    costUsd: each(costs.map(({ costUsd }) => costUsd)),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [lower, upper] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}
