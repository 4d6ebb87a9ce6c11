import { join, resolve } from 'node:path';
import { err, fail, ok } from '@contract/result';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { restoreHere } from '@main/cli/link/restore';

export const restoreCommand = command({
  name: 'restore',
  summary: 'Replaces the database with a backup, and keeps the one that was in use.',
  words: 'FILE',
  least: 1,
  most: 1,
  more: 'No Muster may run on the database. Runs continue from where they were in the backup; deliveries since then are sent again, with the same keys.',
  flags: { yes: { help: 'do not ask' } },
  async run(context, { words: [file = ''], flags }) {
    const from = resolve(context.cwd, file);
    if (!flags.yes) {
      const sure = await context.confirm(`Replace ${context.dbPath} with ${from}?`);
      if (sure === null) return fail('input.invalid', 'there is no one to ask', { mend: 'add --yes' });
      if (!sure) return ok(EXIT.cancelled);
    }
    const artifacts = join(context.dataDir, 'artifacts');
    const restored = await restoreHere({ path: context.dbPath, from, artifacts });
    if (!restored.ok) {
      if (restored.error.code !== 'store.locked') return restored;
      const mend =
        'Quit that Muster first, or restore the backup in its window: Settings, Backups and diagnostics.';
      return err({ ...restored.error, mend });
    }
    const { kept } = restored.value;
    context.out.document(restored.value, () => [
      `Restored ${from}`,
      ...(kept === null ? [] : [`The database that was in use is kept as ${kept}`]),
    ]);
    return ok(EXIT.ok);
  },
});
