import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { problemLines } from '@main/cli/output/error-lines';
import { PROJECT_SETTINGS_FILE } from '../../contract/project-settings';
import { projectFolder } from '../project-folder';
import { SETTINGS_TEMPLATE } from '../settings-template';

export const projectCommand = command({
  name: 'project',
  summary: 'Shows the settings that hold for every run of a project, or begins their file.',
  words: '[init]',
  least: 0,
  most: 1,
  more: [
    `They are in ${PROJECT_SETTINGS_FILE}: files to copy into new worktrees, commands for their setup and teardown,`,
    'submodules, signatures and hooks. `init` writes such a file with every key explained. The command ends with code 3 if',
    'the file is not valid: then no run of the project starts.',
  ].join('\n'),
  flags: {},
  onlyAsks: true,
  async run(context, { words: [verb] }) {
    const folder = projectFolder(join(context.cwd, PROJECT_SETTINGS_FILE));
    if (verb === 'init') return begin(context, folder);
    if (verb !== undefined)
      return fail('input.invalid', `project: "${verb}" is not a command`, { mend: 'one of: init' });
    return show(context, folder);
  },
});

async function show({ out, open }: Context, path: string): Promise<Result<ExitCode>> {
  const link = await open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'project.settings', { path });
  if (!found.ok) return found;
  const { settings, worktree, problems } = found.value;
  out.document({ projectPath: path, settings, worktree, problems }, () => [
    `${join(path, PROJECT_SETTINGS_FILE)}${settings === null && problems.length === 0 ? ' (there is none)' : ''}`,
    ...problems.flatMap((problem) => problemLines(problem, path)),
    ...(problems.length > 0
      ? []
      : [
          `copy        ${worktree.copy.join(', ') || '(nothing)'}`,
          `setup       ${worktree.setup ?? '(none)'}`,
          `teardown    ${worktree.teardown ?? '(none)'}`,
          `submodules  ${worktree.submodules ? 'get the files that the project has' : 'stay empty'}`,
          `sign        ${settings?.sign === 'never' ? 'commits of Muster are never signed' : 'commits of Muster are signed if git is configured so'}`,
          `hooks       ${settings?.hooks === 'never' ? 'never run in worktrees' : 'run when agents and commands use git'}`,
        ]),
  ]);
  return ok(problems.length === 0 ? EXIT.ok : EXIT.invalid);
}

async function begin({ out }: Context, path: string): Promise<Result<ExitCode>> {
  const file = join(path, PROJECT_SETTINGS_FILE);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, SETTINGS_TEMPLATE, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EEXIST')
      return fail('conflict', `${file} exists already`, { mend: 'edit it, then run: muster project' });
    return fail('unavailable', `${file} could not be written: ${error.message}`);
  }
  out.document({ file }, () => [`Wrote ${file}`]);
  return ok(EXIT.ok);
}
