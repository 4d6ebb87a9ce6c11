import type { RunEventOf } from '@contract/run/events';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

/**
 * Their keys refuse a history in which an id begins twice. The columns are what queries read; all else about them is
 * in their events.
 */
export function workProjection(db: Db) {
  const session = writing(db, 'insert into sessions (run_id, session_id, profile_id) values (?, ?, ?)');
  const folder = writing(db, 'update sessions set cwd = ? where run_id = ? and session_id = ?');
  const turn = writing(
    db,
    'insert into turns (run_id, turn_id, activation_id, session_id, started_at) values (?, ?, ?, ?, ?)',
  );
  return {
    session({ runId }: Fact, event: RunEventOf<'session.starting'>): void {
      session.run(runId, event.sessionId, event.profileId);
    },
    folder({ runId }: Fact, event: RunEventOf<'session.ready'>): void {
      folder.run(event.cwd, runId, event.sessionId);
    },
    turn({ runId, at }: Fact, event: RunEventOf<'turn.dispatched'>): void {
      turn.run(runId, event.turnId, event.activationId, event.sessionId, at);
    },
  };
}
