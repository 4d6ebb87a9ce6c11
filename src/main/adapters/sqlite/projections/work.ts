import type { RunEventOf } from '@contract/run/events';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

/**
 * Their keys refuse a history in which an id begins twice. The columns are what queries read; all else about them is
 * in their events.
 */
export function workProjection(db: Db) {
  const activation = writing(db, 'insert into activations (run_id, activation_id, step_id) values (?, ?, ?)');
  const session = writing(db, 'insert into sessions (run_id, session_id, profile_id) values (?, ?, ?)');
  const folder = writing(db, 'update sessions set cwd = ? where run_id = ? and session_id = ?');
  const turn = writing(
    db,
    'insert into turns (run_id, turn_id, activation_id, session_id, started_at) values (?, ?, ?, ?, ?)',
  );
  const command = writing(db, 'insert into commands (run_id, command_id) values (?, ?)');
  return {
    activation(
      { runId }: Fact,
      event: Pick<RunEventOf<'activation.started'>, 'activationId' | 'stepId'>,
    ): void {
      activation.run(runId, event.activationId, event.stepId);
    },
    session({ runId }: Fact, event: RunEventOf<'session.starting'>): void {
      session.run(runId, event.sessionId, event.profileId);
    },
    folder({ runId }: Fact, event: RunEventOf<'session.ready'>): void {
      folder.run(event.cwd, runId, event.sessionId);
    },
    turn({ runId, at }: Fact, event: RunEventOf<'turn.dispatched'>): void {
      turn.run(runId, event.turnId, event.activationId, event.sessionId, at);
    },
    command({ runId }: Fact, event: RunEventOf<'command.started'>): void {
      command.run(runId, event.commandId);
    },
  };
}
