import { join, resolve } from 'node:path';
import { ok } from '@contract/result';
import { ask } from '../../api/core-service';
import { inProject } from '../../api/in-project';
import { projectFolder } from '../../services/projects/project-folder';
import { findRun } from '../address';
import { command } from '../command';
import { EXIT } from '../exit';

export const newCommand = command({
  name: 'new',
  summary: 'Creates a workflow file in a project.',
  words: 'NAME',
  least: 1,
  most: 1,
  more: 'The file is created in .muster/workflows/ of the project. Existing files are not overwritten.',
  flags: {
    from: { value: 'RUN', help: 'with the steps of this run, instead of an example' },
    project: { value: 'DIR', help: 'the project (default: that of the current folder)' },
  },
  async run(context, { words, flags }) {
    const link = await context.open({ mode: 'working' });
    if (!link.ok) return link;
    const run = flags.from === undefined ? null : await findRun(link.value, flags.from);
    if (run !== null && !run.ok) return run;
    const from = run === null ? { kind: 'blank' as const } : { kind: 'run' as const, runId: run.value.id };
    const name = words[0] ?? '';
    const folder =
      flags.project === undefined
        ? projectFolder(resolve(context.cwd, 'x'))
        : resolve(context.cwd, flags.project);
    const made = await inProject(link.value, folder, {
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
