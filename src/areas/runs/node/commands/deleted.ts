import { basename } from 'node:path';
import type { DeletedWorkflow } from '@areas/agents/contract/procedures';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';

export const deletedCommand = verbCommand({
  name: 'deleted',
  summary: 'Lists deleted workflows, and brings them back.',
  words: '[VERB] [FILE]',
  more: 'Muster keeps a deleted file for 90 days.',
  flags: {},
  verbs: {
    list: {
      words: '',
      help: 'lists the deleted workflows, the last one first (the usual)',
      run: (context) => list(context),
    },
    restore: {
      words: 'FILE',
      help: 'brings one back, by its file or the id that the list shows',
      run: (context, { words }) => restore(context, words[1] ?? ''),
    },
  },
  usual: 'list',
});

async function list(context: Context): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'workflow.deleted', {});
  if (!found.ok) return found;
  context.out.document({ deleted: found.value }, () =>
    found.value.length === 0
      ? ['No deleted workflow is kept.']
      : columns(
          found.value.map(({ kept, file, deletedAt }) => [
            kept.slice(0, SHORT),
            file,
            `deleted ${dayAndTime(deletedAt)}`,
          ]),
        ),
  );
  return ok(EXIT.ok);
}

/** Number of characters shown of an id; enough to distinguish ids. */
const SHORT = 8;

async function restore(context: Context, name: string): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'working' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'workflow.deleted', {});
  if (!found.ok) return found;
  const one = chosen(found.value, name);
  if (!one.ok) return one;
  const { projectId, file, kept } = one.value;
  const done = await ask(link.value, 'workflow.undelete', { projectId, file, kept });
  if (!done.ok) return done;
  context.out.document({ file }, () => [`${file} is back.`]);
  return ok(EXIT.ok);
}

/** The latest deletion of a file; an id identifies one exactly. */
function chosen(all: readonly DeletedWorkflow[], name: string): Result<DeletedWorkflow> {
  const named = all.filter(({ file }) => file === name || basename(file) === name);
  const places = new Set(named.map(({ projectId, file }) => `${projectId} ${file}`));
  const [one] = name.length >= SHORT ? all.filter(({ kept }) => kept.startsWith(name)) : [];
  const found = one ?? (places.size === 1 ? named[0] : undefined);
  if (found !== undefined) return ok(found);
  return places.size > 1
    ? fail('input.invalid', `several deleted workflows are called ${name}`, {
        mend: 'name one by its id; muster deleted lists them',
      })
    : fail('not_found', `no deleted workflow is called ${name}`, { mend: 'muster deleted lists them' });
}
