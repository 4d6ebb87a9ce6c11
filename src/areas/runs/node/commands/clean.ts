import type { Leftover } from '@areas/changes/contract/procedures';
import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns, counted } from '@main/cli/output/columns';

const STATES: Record<Leftover['state'], string> = {
  applied: 'applied',
  empty: 'nothing changed',
  included: 'its work is also on another branch',
  unapplied: 'NOT APPLIED',
  unfinished: 'never set up',
  unreadable: 'CANNOT BE READ',
};

export const cleanCommand = command({
  name: 'clean',
  summary: 'Removes worktrees and branches of ended runs, and prints how to restore each branch.',
  words: '[RUN]',
  least: 0,
  most: 1,
  more: [
    'Without RUN, cleans all ended runs. Work that is not applied is kept unless you pass --unapplied. Each removed branch',
    'is kept under refs/muster/cleared, and a resumed run continues with it.',
  ].join('\n'),
  flags: {
    'dry-run': { help: 'list them without removing anything' },
    unapplied: { help: 'also remove work that is not applied' },
  },
  async run(context, { words, flags }) {
    const dry = flags['dry-run'];
    const link = await context.open({ mode: dry ? 'reading' : 'working' });
    if (!link.ok) return link;
    const row = words[0] === undefined ? null : await findRun(link.value, words[0]);
    if (row !== null && !row.ok) return row;
    const which = row === null ? {} : { runId: row.value.id };
    if (dry) {
      const found = await ask(link.value, 'workspace.leftovers', which);
      if (!found.ok) return found;
      const { leftovers, unknown } = found.value;
      context.out.document(found.value, () => [
        ...(leftovers.length === 0 ? ['No worktrees of ended runs.'] : rowsOf(leftovers)),
        ...unknown.map(
          (path) => `${path}  is left alone: it belongs to no run that this Muster knows, or lost its mark.`,
        ),
      ]);
      return ok(EXIT.ok);
    }
    const done = await ask(link.value, 'workspace.clean', { ...which, unapplied: flags.unapplied });
    if (!done.ok) return done;
    const { worktrees, branches, notes, kept } = done.value;
    const unapplied = kept.filter(({ state }) => state !== 'unreadable');
    const unread = kept.filter(({ state }) => state === 'unreadable');
    context.out.document(done.value, () => [
      `Removed ${counted(worktrees.length, 'worktree')} and ${branches.length === 1 ? '1 branch' : `${branches.length} branches`}.`,
      ...(branches.length === 0
        ? []
        : ['To restore a branch:', ...branches.map((one) => `  ${one.restore}`)]),
      ...notes,
      ...keptLines('Kept because the work is not applied (--unapplied removes it):', unapplied),
      ...keptLines(
        'Kept because they cannot be read (`muster show RUN` says why and how to repair them):',
        unread,
      ),
    ]);
    return ok(EXIT.ok);
  },
});

const keptLines = (head: string, rows: readonly Leftover[]): string[] =>
  rows.length === 0 ? [] : [head, ...rowsOf(rows)];

const rowsOf = (rows: readonly Leftover[]): string[] =>
  columns(
    rows.map(({ runId, runName, state, files, branch, path }) => [
      `run ${runId}`,
      runName,
      state === 'unapplied' ? `${STATES[state]} (${counted(files, 'file')})` : STATES[state],
      branch,
      path,
    ]),
    { indent: '  ' },
  );
