import { ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { ask, type CoreCalls } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns, shownName } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';

const MOST_RUNS = 500;

export const binCommand = verbCommand({
  name: 'bin',
  summary: 'Moves ended runs into the bin, and restores or deletes them.',
  words: '[VERB] [RUN]',
  more: 'Unreadable runs can be put into the bin too. purge also deletes the run’s files, worktrees and branches.',
  flags: {},
  verbs: {
    list: { words: '', help: 'lists the runs in the bin (the usual)', run: (context) => list(context) },
    put: {
      words: 'RUN',
      help: 'moves an ended run into the bin',
      run: (context, { words }) => act(context, words[1] ?? '', PUT),
    },
    restore: {
      words: 'RUN',
      help: 'takes a run out of the bin',
      run: (context, { words }) => act(context, words[1] ?? '', RESTORE),
    },
    purge: {
      words: 'RUN',
      help: 'deletes a run of the bin permanently',
      run: (context, { words }) => act(context, words[1] ?? '', PURGE),
    },
  },
  usual: 'list',
});

async function list(context: Context): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'run.list', { binned: true, limit: MOST_RUNS });
  if (!found.ok) return found;
  const { rows } = found.value;
  context.out.document({ runs: rows }, () =>
    rows.length === 0
      ? ['The bin is empty.']
      : columns(
          rows.map(({ id, name, startedAt, projectName }) => [
            String(id),
            `started ${dayAndTime(startedAt)}`,
            projectName,
            shownName(name),
          ]),
        ),
  );
  return ok(EXIT.ok);
}

interface Action {
  readonly ask: (core: CoreCalls, runId: number) => Promise<Result<unknown>>;
  readonly done: (row: RunRow) => string;
}

const PUT: Action = {
  ask: (core, runId) => ask(core, 'run.bin', { runId }),
  done: ({ id }) => `Run ${id} is in the bin. To take it out: muster bin restore ${id}`,
};
const RESTORE: Action = {
  ask: (core, runId) => ask(core, 'run.restore', { runId }),
  done: ({ id }) => `Run ${id} is out of the bin.`,
};
const PURGE: Action = {
  ask: (core, runId) => ask(core, 'run.purge', { runId }),
  done: ({ id }) => `Run ${id} is deleted.`,
};

async function act(context: Context, name: string, action: Action): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'working' });
  if (!link.ok) return link;
  const row = await findRun(link.value, name);
  if (!row.ok) return row;
  const done = await action.ask(link.value, row.value.id);
  if (!done.ok) return done;
  context.out.document({ run: row.value.id }, () => [action.done(row.value)]);
  return ok(EXIT.ok);
}
