import type { RunEventOf } from '@contract/run/events';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

/**
 * Their keys refuse a history in which an id begins twice. Queries read a session's profile and folder, and a turn's
 * session; the other columns are from earlier versions, whose usage is added up from them.
 */
export function workProjection(db: Db) {
  const activation = writing(
    db,
    'insert into activations (run_id, activation_id, step_id, attempt, started_at) values (?, ?, ?, ?, ?)',
  );
  const session = writing(
    db,
    "insert into sessions (run_id, session_id, profile_id, status, since) values (?, ?, ?, 'starting', ?)",
  );
  const folder = writing(db, 'update sessions set cwd = ? where run_id = ? and session_id = ?');
  const turn = writing(
    db,
    `insert into turns (run_id, turn_id, activation_id, session_id, ordinal, status, started_at)
     values (?, ?, ?, ?, ?, 'in_flight', ?)`,
  );
  const command = writing(
    db,
    "insert into commands (run_id, command_id, activation_id, status, started_at) values (?, ?, ?, 'running', ?)",
  );
  return {
    activation(
      { runId, at }: Fact,
      event: Pick<RunEventOf<'activation.started'>, 'activationId' | 'stepId' | 'attempt'>,
    ): void {
      activation.run(runId, event.activationId, event.stepId, event.attempt, at);
    },
    session({ runId, at }: Fact, event: RunEventOf<'session.starting'>): void {
      session.run(runId, event.sessionId, event.profileId, at);
    },
    folder({ runId }: Fact, event: RunEventOf<'session.ready'>): void {
      folder.run(event.cwd, runId, event.sessionId);
    },
    turn({ runId, at }: Fact, event: RunEventOf<'turn.dispatched'>): void {
      turn.run(runId, event.turnId, event.activationId, event.sessionId, event.ordinal, at);
    },
    command({ runId, at }: Fact, event: RunEventOf<'command.started'>): void {
      command.run(runId, event.commandId, event.activationId, at);
    },
  };
}
