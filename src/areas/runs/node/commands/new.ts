import { join, resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import { type AppError, appError } from '@contract/errors';
import type { ProcedureInput } from '@contract/ipc';
import { err, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { startInProject } from '@main/api/start-in-project';
import { findRun } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { defaultAgent } from '@main/cli/running/chosen-agent';

interface Source {
  readonly from: string | undefined;
  readonly pattern: string | undefined;
  readonly agent: string | undefined;
}

function refusal({ from, pattern, agent }: Source): AppError | null {
  if (pattern === undefined)
    return agent === undefined || from === undefined
      ? null
      : appError('input.invalid', 'the steps of a run have their agents', { mend: 'leave out --agent' });
  if (from !== undefined)
    return appError('input.invalid', '--from and --pattern are two sources', { mend: 'use one of them' });
  return null;
}

interface Place {
  readonly context: Context;
  readonly folder: string;
}

async function sourceOf(
  link: Link,
  { from, pattern, agent }: Source,
  { context, folder }: Place,
): Promise<Result<ProcedureInput<'workflow.create'>['from']>> {
  if (pattern !== undefined) {
    const chosen =
      agent === undefined ? await defaultAgent(link, context, { flag: '--agent', folder }) : ok(agent);
    return chosen.ok ? ok({ kind: 'pattern', pattern, agent: chosen.value }) : chosen;
  }
  if (from === undefined) return ok({ kind: 'blank', agent });
  const run = await findRun(link, from);
  return run.ok ? ok({ kind: 'run', runId: run.value.id }) : run;
}

export const newCommand = command({
  name: 'new',
  summary: 'Creates a workflow file in a project.',
  words: 'NAME',
  least: 1,
  most: 1,
  more: [
    'The file is created in .muster/workflows/ of the project. Existing files are not overwritten.',
    'Patterns: plan-build-review, until-tests-pass, each-file, two-agents-and-judge, nightly-loop.',
  ].join('\n'),
  flags: {
    from: { value: 'RUN', help: 'with the steps of this run, instead of an example' },
    pattern: { value: 'PATTERN', help: 'from this pattern, instead of an example' },
    agent: { value: 'AGENT', help: 'the id of the agent that does the work' },
    project: { value: 'DIR', help: 'the project (default: that of the current folder)' },
  },
  async run(context, { words, flags }) {
    const wrong = refusal(flags);
    if (wrong !== null) return err(wrong);
    const link = await context.open({ mode: 'working' });
    if (!link.ok) return link;
    const folder =
      flags.project === undefined
        ? projectFolder(resolve(context.cwd, 'x'))
        : resolve(context.cwd, flags.project);
    const source = await sourceOf(link.value, flags, { context, folder });
    if (!source.ok) return source;
    const { value: from } = source;
    const name = words[0] ?? '';
    const made = await startInProject(link.value, folder, {
      begin: async ({ id: projectId, path }) => {
        const created = await ask(link.value, 'workflow.create', { projectId, name, from });
        return created.ok ? ok(join(path, created.value.file)) : created;
      },
      hasBegun: () => true,
    });
    if (!made.ok) return made;
    context.out.document({ file: made.value }, () => [
      `Made ${made.value}`,
      `  ${context.again('run', made.value)}`,
    ]);
    return ok(EXIT.ok);
  },
});
