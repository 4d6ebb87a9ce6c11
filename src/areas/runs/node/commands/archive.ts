import { resolve } from 'node:path';
import { ok } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';

export const exportCommand = command({
  name: 'export',
  summary: 'Exports a run, with its definition and all its events, to one file.',
  words: 'RUN FILE',
  least: 2,
  most: 2,
  flags: {},
  async run(context, { words }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const row = await findRun(link.value, words[0] ?? '');
    if (!row.ok) return row;
    const path = resolve(context.cwd, words[1] ?? '');
    const done = await ask(link.value, 'run.export', { runId: row.value.id, path });
    if (!done.ok) return done;
    context.out.document(done.value, () => [
      `Run ${row.value.id}: ${done.value.events} events, ${done.value.bytes} bytes in ${done.value.path}`,
      ...(done.value.raw === 0
        ? []
        : [
            `${done.value.raw} events after them cannot be read; the file has them as stored in the database.`,
          ]),
    ]);
    return ok(EXIT.ok);
  },
});

export const importCommand = command({
  name: 'import',
  summary: 'Imports an exported run, from this machine or another.',
  words: 'FILE',
  least: 1,
  most: 1,
  heedsStop: true,
  more: 'Ctrl-C cancels the import. Then nothing of the run is there.',
  flags: {},
  async run(context, { words }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const key = ulids.ulid();
    const cancel = () => void ask(link.value, 'run.cancelImport', { key });
    context.stop.addEventListener('abort', cancel);
    const done = await ask(link.value, 'run.import', { path: resolve(context.cwd, words[0] ?? ''), key });
    context.stop.removeEventListener('abort', cancel);
    if (!done.ok) return done;
    context.out.document(done.value, () => [`Imported as run ${done.value.runId}.`]);
    return ok(EXIT.ok);
  },
});
