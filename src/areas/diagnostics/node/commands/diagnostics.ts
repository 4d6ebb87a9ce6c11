import { resolve } from 'node:path';
import { fail, ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';

export const diagnosticsCommand = command({
  name: 'diagnostics',
  summary: 'Writes an archive for a report of a fault, without any of your work in it.',
  words: '[FILE]',
  least: 0,
  most: 1,
  more: 'It holds versions, settings, the last lines of the logs, and sizes and states of runs. It holds no prompts, outputs, paths, environment values or names of projects. Without FILE it lists the files.',
  flags: { yes: { help: 'do not ask' } },
  async run(context, { words: [file], flags }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const listed = await ask(link.value, 'diagnostics.list', {});
    if (!listed.ok) return listed;
    const lines = columns(listed.value.files.map(({ name, bytes }) => [name, `${bytes} bytes`]));
    if (file === undefined) {
      context.out.document(listed.value, () => lines);
      return ok(EXIT.ok);
    }
    const path = resolve(context.cwd, file);
    if (!flags.yes) {
      for (const line of lines) context.out.warn(line);
      const sure = await context.confirm(`Write these files to ${path}?`);
      if (sure === null) return fail('input.invalid', 'there is no one to ask', { mend: 'add --yes' });
      if (!sure) return ok(EXIT.cancelled);
    }
    const saved = await ask(link.value, 'diagnostics.save', { path });
    if (!saved.ok) return saved;
    context.out.document(saved.value, () => [...lines, `Written to ${saved.value.path}`]);
    return ok(EXIT.ok);
  },
});
