import { resolve } from 'node:path';
import { fail, ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';

const KINDS = { automatic: 'automatic', manual: 'by hand', migration: 'before a migration' } as const;

export const backupCommand = command({
  name: 'backup',
  summary: 'Backs up the database while it is in use, to a new file, or lists the backups.',
  words: '[FILE]',
  least: 0,
  most: 1,
  more: 'Without FILE the backup is in the folder of the automatic ones. It is checked before it gets its name.',
  flags: {
    artifacts: { help: 'also the files of runs: outputs, transcripts, terminals; FILE is then a folder' },
    list: { help: 'list the backups, newest first' },
  },
  async run(context, { words: [file], flags }) {
    if (flags.list && (file !== undefined || flags.artifacts))
      return fail('input.invalid', '--list goes with neither FILE nor --artifacts');
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    if (flags.list) {
      const listed = await ask(link.value, 'backup.list', {});
      if (!listed.ok) return listed;
      context.out.document(listed.value, () =>
        listed.value.rows.length === 0
          ? ['No backups.']
          : columns(
              listed.value.rows.map((row) => [
                dayAndTime(row.at),
                KINDS[row.kind],
                row.version === null ? 'unreadable' : `version ${row.version}`,
                `${row.bytes} bytes`,
                row.path,
              ]),
            ),
      );
      return ok(EXIT.ok);
    }
    const path = file === undefined ? null : resolve(context.cwd, file);
    const made = await ask(link.value, 'backup.make', { path, artifacts: flags.artifacts });
    if (!made.ok) return made;
    context.out.document(made.value, () => [`Backed up ${made.value.bytes} bytes to ${made.value.path}`]);
    return ok(EXIT.ok);
  },
});
