import { resolve } from 'node:path';
import { ok } from '@contract/result';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Style } from '@main/cli/output/style';
import type { WorkflowMigration } from '../../contract/migration';

export const migrateCommand = command({
  name: 'migrate',
  summary: 'Rewrites a workflow file of an earlier version for this one.',
  words: 'FILE',
  least: 1,
  most: 1,
  more: [
    'Shows the difference, asks, and keeps the old file as FILE.bak. In a script or with --json it cannot ask: without',
    '--yes nothing is written and the code is 3, the same as after a no. This command needs no core.',
  ].join('\n'),
  flags: { yes: { help: 'write without asking' } },
  async run(context, { words, flags }) {
    const shown = words[0] ?? '';
    const file = { path: resolve(context.cwd, shown), shown };
    const migrations = await makeMigrations();
    const found = await migrations.migrate(file, flags.yes);
    if (!found.ok) return found;
    const { out } = context;
    const report = (result: WorkflowMigration) => ({
      file: shown,
      migrated: result.backup !== null,
      changes: result.changes,
      diff: result.diff,
      backup: result.backup,
    });
    const kept = (backup: string | null) => `${shown} is migrated, the old file is kept as ${backup ?? ''}`;
    const { changes, diff, backup } = found.value;
    if (changes.length === 0) {
      out.document(report(found.value), () => [`${shown}: nothing to migrate`]);
      return ok(EXIT.ok);
    }
    const shownDiff = diffLines(diff, out.style);
    out.document(report(found.value), () => (backup === null ? shownDiff : [...shownDiff, kept(backup)]));
    if (backup !== null) return ok(EXIT.ok);
    const yes = out.json ? null : await context.confirm(`Write this to ${shown}?`);
    if (yes !== true) {
      out.note(yes === null ? 'Nothing was written: say --yes to write it.' : 'Nothing was written.');
      return ok(EXIT.invalid);
    }
    const done = await migrations.migrate(file, true);
    if (!done.ok) return done;
    out.document(report(done.value), () => [kept(done.value.backup)]);
    return ok(EXIT.ok);
  },
});

/** Loaded only here: other commands need neither the steps nor a YAML reader. */
async function makeMigrations() {
  const [{ WorkflowMigrations }, { yamlMigrator }, { stepRegistry }] = await Promise.all([
    import('../workflow-migration'),
    import('@main/adapters/yaml/migrate'),
    import('@features/core'),
  ]);
  return new WorkflowMigrations({ migrator: yamlMigrator, registry: stepRegistry });
}

function diffLines(diff: string, style: Style): string[] {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('---') || line.startsWith('+++')) return style.bold(line);
      if (line.startsWith('@@')) return style.dim(line);
      if (line.startsWith('+')) return style.good(line);
      return line.startsWith('-') ? style.bad(line) : line;
    });
}
