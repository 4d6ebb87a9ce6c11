import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { RunState, SessionState } from '@contract/run/state';
import { turnTitle } from '@contract/run/turn/turn-title';

/** The scope of the shown changes, by the name of its choice: `turn/3`, `session`, `workspace`. */
interface Scope {
  readonly value: string;
  readonly label: string;
}

/** The session's turns that changed files, the last one first. */
export function turnScopes(state: RunState, session: SessionState): Scope[] {
  return session.turnIds.toReversed().flatMap((id) => {
    const turn = state.turns[id];
    const changes = turn?.changes;
    if (!turn || !changes || changes.files === 0) return [];
    return [
      {
        value: `turn/${id}`,
        label: `${turnTitle(turn)} (turn ${id}): +${changes.added} −${changes.removed}`,
      },
    ];
  });
}

export const wholeScopes: readonly Scope[] = [
  { value: 'session', label: 'All turns of this session' },
  { value: 'workspace', label: 'The whole workspace' },
];

/** The request for a choice; an invalid one requests the session. */
export function diffOf(scope: string, sessionId: number): DiffScope {
  const turn = /^turn\/(\d+)$/.exec(scope)?.[1];
  if (turn !== undefined) return { kind: 'turn', turnId: Number(turn) };
  return scope === 'workspace' ? { kind: 'workspace', sessionId } : { kind: 'session', sessionId };
}
