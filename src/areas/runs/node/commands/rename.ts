import { fail, ok } from '@contract/result';
import { runNameSchema } from '@contract/run/lifecycle/events';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { shownName } from '@main/cli/output/columns';

export const renameCommand = command({
  name: 'rename',
  summary: 'Gives a run another name.',
  words: 'RUN [NAME]',
  least: 1,
  most: 2,
  more: 'Without a name, the run is named after its issue, instruction, input or workflow again.',
  flags: {},
  async run(context, { words }) {
    const [found = '', wanted] = words;
    const name = runNameSchema.nullable().safeParse(wanted ?? null);
    if (!name.success) return fail('input.invalid', 'a name is one line of at most 200 characters');
    const link = await context.open({ mode: 'working' });
    if (!link.ok) return link;
    const row = await findRun(link.value, found);
    if (!row.ok) return row;
    const runId = row.value.id;
    const done = await ask(link.value, 'run.rename', { runId, name: name.data, by: 'command line' });
    if (!done.ok) return done;
    context.out.document({ run: runId, name: done.value.name }, () => [
      `Run ${runId} is named "${shownName(done.value.name)}".`,
    ]);
    return ok(EXIT.ok);
  },
});
