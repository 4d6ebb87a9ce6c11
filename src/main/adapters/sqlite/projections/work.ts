import type { RunEventOf } from '@contract/run/events';
import type { SessionStatus } from '@contract/run/state';
import type { Usage } from '@contract/session/session';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

export function activationProjection(db: Db) {
  const insert = writing(
    db,
    'insert into activations (run_id, activation_id, step_id, attempt, started_at) values (?, ?, ?, ?, ?)',
  );
  const finish = writing(
    db,
    'update activations set outcome = ?, finished_at = ? where run_id = ? and activation_id = ?',
  );
  return {
    started(
      { runId, at }: Fact,
      event: Pick<RunEventOf<'activation.started'>, 'activationId' | 'stepId' | 'attempt'>,
    ): void {
      insert.run(runId, event.activationId, event.stepId, event.attempt, at);
    },
    finished(
      { runId, at }: Fact,
      event: Pick<RunEventOf<'activation.finished'>, 'activationId' | 'outcome'>,
    ): void {
      finish.run(event.outcome, at, runId, event.activationId);
    },
    adopted({ runId, at }: Fact, event: RunEventOf<'activation.adopted'>): void {
      insert.run(runId, event.activationId, event.stepId, event.attempt, at);
      finish.run(event.outcome, at, runId, event.activationId);
    },
    /** A resumed run has not ended. */
    resumed({ runId }: Fact, event: RunEventOf<'run.resumed'>): void {
      for (const id of event.activationIds) finish.run(null, null, runId, id);
    },
  };
}

export function sessionProjection(db: Db) {
  const insert = writing(
    db,
    "insert into sessions (run_id, session_id, profile_id, status, since) values (?, ?, ?, 'starting', ?)",
  );
  const ready = writing(
    db,
    `update sessions set status = 'ready', since = ?, agent = ?, provider_session_id = ?, cwd = ?
     where run_id = ? and session_id = ?`,
  );
  const become = writing(db, 'update sessions set status = ?, since = ? where run_id = ? and session_id = ?');
  return {
    starting({ runId, at }: Fact, event: RunEventOf<'session.starting'>): void {
      insert.run(runId, event.sessionId, event.profileId, at);
    },
    ready({ runId, at }: Fact, event: RunEventOf<'session.ready'>): void {
      ready.run(at, event.agent, event.providerSessionId, event.cwd, runId, event.sessionId);
    },
    become({ runId, at }: Fact, sessionId: number, status: SessionStatus): void {
      become.run(status, at, runId, sessionId);
    },
  };
}

export function turnProjection(db: Db) {
  const insert = writing(
    db,
    `insert into turns (run_id, turn_id, activation_id, session_id, ordinal, status, started_at)
     values (?, ?, ?, ?, ?, 'in_flight', ?)`,
  );
  const finish = writing(
    db,
    `update turns set status = ?, finished_at = ?, tokens = ?, cost_usd = ?, untold = ?
     where run_id = ? and turn_id = ?`,
  );
  return {
    dispatched({ runId, at }: Fact, event: RunEventOf<'turn.dispatched'>): void {
      insert.run(runId, event.turnId, event.activationId, event.sessionId, event.ordinal, at);
    },
    finished({ runId, at }: Fact, event: RunEventOf<'turn.finished'>): void {
      const { usage } = event;
      finish.run(
        event.outcome,
        at,
        usage === null ? 0 : tokensOf(usage),
        usage?.cost_usd ?? 0,
        usage === null ? 1 : 0,
        runId,
        event.turnId,
      );
    },
    interrupted({ runId, at }: Fact, event: RunEventOf<'turn.interrupted'>): void {
      finish.run('interrupted', at, null, null, null, runId, event.turnId);
    },
  };
}

/** Counted as in the reducer. */
export const tokensOf = (usage: Usage): number =>
  usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);

export function commandProjection(db: Db) {
  const insert = writing(
    db,
    "insert into commands (run_id, command_id, activation_id, status, started_at) values (?, ?, ?, 'running', ?)",
  );
  const finish = writing(
    db,
    'update commands set status = ?, exit_code = ?, finished_at = ? where run_id = ? and command_id = ?',
  );
  const artifact = writing(
    db,
    "insert into artifacts (event_id, run_id, kind, path, bytes) values (?, ?, 'command_output', ?, ?)",
  );
  return {
    started({ runId, at }: Fact, event: RunEventOf<'command.started'>): void {
      insert.run(runId, event.commandId, event.activationId, at);
    },
    finished({ id, runId, at }: Fact, event: RunEventOf<'command.finished'>): void {
      finish.run(event.outcome, event.exitCode, at, runId, event.commandId);
      if (event.outputPath !== null) artifact.run(id, runId, event.outputPath, event.outputBytes);
    },
    interrupted({ runId, at }: Fact, event: RunEventOf<'command.interrupted'>): void {
      finish.run('interrupted', null, at, runId, event.commandId);
    },
  };
}
