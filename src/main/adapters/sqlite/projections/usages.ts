import type { Usage } from '@areas/sessions/contract/session';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { ModelUse } from '@contract/run/features/feature';
import { pieceIn, pieceOf, usedOutsideTurns } from '@contract/run/features/feature-answers';
import { ownerOf, stepDefinition } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

type Used = Omit<ModelUse, 'model'> & {
  /** Undefined: the model of the turn's session. */
  readonly model?: string;
};

/** One row per model answer. Unreported values are null. */
export function usageProjection(db: Db) {
  const insert = writing(
    db,
    `insert into usages
       (event_id, run_id, at, ms, step, step_title, piece, profile_id, agent, model, tokens, cost_usd)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const name = writing(
    db,
    `insert into pieces (run_id, "key", kind, name, title, accepted) values (?, ?, ?, ?, ?, ?)
     on conflict do update set name = excluded.name, title = excluded.title, accepted = excluded.accepted`,
  );
  return {
    follow({ id, runId, at, state }: Fact, event: RunEvent): void {
      const found = pieceIn(state, event);
      if (found !== null)
        name.run(runId, found.key, found.kind, found.name, found.title, found.accepted ? 1 : 0);
      const used = usedIn(state, event, at);
      if (used === undefined) return;
      const key = state.activations[used.activationId]?.stepId ?? '';
      const turn = state.turns[used.turnId ?? 0];
      const session = state.sessions[turn?.sessionId ?? 0];
      const profile = session?.profileId ?? null;
      const piece = turn === undefined ? null : pieceOf(state, turn);
      insert.run(
        ...[id, runId, at, used.ms, withoutPlaces(key), titleOf(state, key), piece],
        ...[profile, profile === null ? null : (ownValue(state.profiles, profile)?.name ?? profile)],
        used.model ?? session?.model ?? null,
        ...amountsOf(used.usage),
      );
    },
  };
}

function usedIn(state: RunState, event: RunEvent, at: number): Used | undefined {
  if (event.type !== 'turn.finished') return usedOutsideTurns(event);
  const { turnId, usage } = event;
  const turn = state.turns[turnId];
  return turn && { activationId: turn.activationId, turnId, usage, ms: Math.max(0, at - turn.startedAt) };
}

function amountsOf(usage: Usage | null): [tokens: number | null, costUsd: number | null] {
  if (usage === null) return [null, null];
  const isReported = [usage.total_tokens, usage.input_tokens, usage.output_tokens].some(
    (count) => count !== null,
  );
  return [isReported ? tokensOf(usage) : null, usage.cost_usd];
}

/** `review#2[3]/fix` becomes `review/fix`: a step's passes and repetitions count as the same step. */
const withoutPlaces = (key: string): string => key.split('/').map(ownerOf).join('/');

function titleOf(state: RunState, key: string): string {
  const segments = key.split('/');
  return segments
    .map((segment, at) => {
      const id = ownerOf(segment);
      return stepDefinition(state, [...segments.slice(0, at), id].join('/'))?.title ?? id;
    })
    .join(' / ');
}

/** Counted as in the reducer. */
const tokensOf = (usage: Usage): number =>
  usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
