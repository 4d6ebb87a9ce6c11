import { ownValue } from '@contract/own';
import type { RunEventOf } from '@contract/run/events';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { type Db, writing } from '../sql';
import { announcementProjection } from './announcements';
import type { Fact } from './fact';

/** Tables for the inbox, the feed and the deliveries. */
export const shownProjections = (db: Db) => ({
  gates: gateProjection(db),
  updates: updateProjection(db),
  announcements: announcementProjection(db),
});

function gateProjection(db: Db) {
  const insert = writing(
    db,
    `insert into gates (run_id, gate_id, opened_event, step_id, step_title, agent, status, opened_at, kind)
     values (?, ?, ?, ?, ?, ?, 'open', ?, ?)`,
  );
  const close = writing(
    db,
    `update gates set status = ?, closed_at = ?, answer = ?, answered_by = ?, snoozed_until = null
     where run_id = ? and gate_id = ?`,
  );
  return {
    opened({ id, runId, at, state }: Fact, event: RunEventOf<'gate.opened'>): void {
      const step = stepOf(state, event.activationId);
      insert.run(
        runId,
        event.gateId,
        id,
        step?.id ?? null,
        step?.title ?? null,
        agentOf(state, event.sessionId),
        at,
        event.kind,
      );
    },
    resolved({ runId, at }: Fact, event: RunEventOf<'gate.resolved'>): void {
      close.run('resolved', at, JSON.stringify(event.answer), event.by, runId, event.gateId);
    },
    withdrawn({ runId, at }: Fact, event: RunEventOf<'gate.withdrawn'>): void {
      close.run('withdrawn', at, null, null, runId, event.gateId);
    },
  };
}

function stepOf(state: RunState, activationId: number | null): { id: string; title: string | null } | null {
  const activation = activationId === null ? undefined : state.activations[activationId];
  if (activation === undefined) return null;
  const title = stepTitle(state, activation.stepId);
  return { id: activation.stepId, title: title === activation.stepId ? null : title };
}

/** The name of the asking profile. */
function agentOf(state: RunState, sessionId: number | null): string | null {
  const session = sessionId === null ? undefined : state.sessions[sessionId];
  if (session === undefined) return null;
  return ownValue(state.profiles, session.profileId)?.name ?? session.profileId;
}

function updateProjection(db: Db) {
  const insert = writing(
    db,
    'insert into updates (event_id, run_id, result, step_id, agent) values (?, ?, ?, ?, ?)',
  );
  return {
    posted({ id, runId, state }: Fact, event: RunEventOf<'update.posted'>): void {
      const turn = event.turnId === null ? undefined : state.turns[event.turnId];
      const session = turn === undefined ? undefined : state.sessions[turn.sessionId];
      insert.run(id, runId, event.update.result, event.stepId, session?.profileId ?? null);
    },
  };
}
