import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { shownInstruction } from '@contract/run/lifecycle/run-name';
import type { RunState } from '@contract/run/state';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';
import { Tallies } from './step-counts';
import { summarise } from './summary';

export function runProjection(db: Db) {
  const insert = writing(
    db,
    `insert into runs (id, uid, name, workflow_name, agents, project_id, source_file, started_by, started_at, at, steps,
       budget_tokens, budget_usd, status, steps_done, open_gates, tokens, cost_usd)
     values (?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, 'running', 0, 0, 0, 0)`,
  );
  const update = writing(
    db,
    'update runs set at = ?, steps_done = ?, open_gates = ?, now = ?, tokens = ?, cost_usd = ? where id = ?',
  );
  // A statement of its own: SQLite writes every index of a column that is set, even to its old value.
  const turn = writing(
    db,
    `update runs set status = ?, outcome = ?, reason = ?, finished_at = ?
     where id = ? and (status, outcome, reason, finished_at) is not (?, ?, ?, ?)`,
  );
  const bin = writing(db, 'update runs set binned_at = ? where id = ?');
  const instruct = writing(db, 'insert into instructions (run_id, text) values (?, ?)');
  const rename = writing(db, 'update runs set name = ? where id = ?');
  const join = writing(db, 'update runs set agents = ? where id = ?');
  const tallies = new Tallies();

  return {
    follow({ state }: Fact, event: RunEvent): void {
      tallies.follow(state, event);
    },
    started({ runId, at, state }: Fact, event: RunEventOf<'run.started'>): void {
      const { uid, name, projectId, sourceFile, startedBy, definition } = event;
      const { tokens = null, cost_usd = null } = definition.budget ?? {};
      insert.run(
        ...[runId, uid, state.name, name],
        ...[projectId, sourceFile, startedBy, at, at, definition.steps.length],
        ...[tokens, cost_usd],
      );
      instruct.run(runId, shownInstruction(state));
    },
    binned({ runId, at }: Fact): void {
      bin.run(at, runId);
    },
    restored({ runId }: Fact): void {
      bin.run(null, runId);
    },
    renamed({ runId, state }: Fact): void {
      rename.run(state.name, runId);
    },
    /** Names the agents of its sessions, each once. */
    joined({ runId, state }: Fact): void {
      const names = Object.values(state.sessions).map(
        ({ profileId }) => ownValue(state.profiles, profileId)?.name ?? profileId,
      );
      join.run([...new Set(names)].join(', '), runId);
    },
    /** Once for all events of a commit. */
    settle(runId: number, state: RunState, before?: string): string {
      const { status, stepsDone, openGates, now } = summarise(state, tallies.of(state));
      const { outcome, reason, finishedAt, at, spend } = state;
      update.run(at, stepsDone, openGates, now, spend.tokens, spend.cost_usd, runId);
      const end = [status, outcome, reason, finishedAt] as const;
      const text = end.join(' ');
      if (text !== before) turn.run(...end, runId, ...end);
      return text;
    },
  };
}
