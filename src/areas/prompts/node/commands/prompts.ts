import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { promptFolders, promptsFlag } from '@main/cli/arguments/prompt-folders';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns, counted } from '@main/cli/output/columns';
import { problemLines } from '@main/cli/output/error-lines';
import { PROMPTS_VARIABLE, type PromptFolder } from '../../contract/folders';
import type { PromptCheck, PromptRow } from '../../contract/procedures';

export const promptsCommand = command({
  name: 'prompts',
  summary: 'Lists the prompt texts of Muster, and checks the overrides of a project.',
  words: 'list|check [PATH]',
  least: 1,
  most: 2,
  more: [
    'PATH is a project, or a file in it; without it, the project of this folder. Its own texts are the files',
    '.muster/prompts/SET/NAME.md. Files SET/NAME.md in the folder of --prompts win over them, then those in the folder of',
    'MUSTER_PROMPTS. `check` names everything that is wrong with them and ends with code 3 if anything is: no run that',
    'needs these texts would start.',
  ].join('\n'),
  flags: promptsFlag,
  onlyAsks: true,
  async run(context, { words: [verb = '', path], flags }) {
    const act = ownValue(ACTS, verb);
    if (act === undefined)
      return fail('input.invalid', `prompts: "${verb}" is not a command`, { mend: 'one of: list, check' });
    const folder = folderOf(context.cwd, path);
    if (folder === null) return fail('not_found', `there is no folder ${path ?? ''}`);
    const link = await context.open({ mode: 'reading' });
    const folders = promptFolders(context, flags.prompts);
    const place = { path: folder, ...(folders.length === 0 ? {} : { folders }) };
    return link.ok ? act(context, link.value, place) : link;
  },
});

/** A project, and folders that override it. */
interface PromptPlace {
  readonly path: string;
  readonly folders?: PromptFolder[];
}
type Act = (context: Context, link: Link, place: PromptPlace) => Promise<Result<ExitCode>>;

const ACTS: Readonly<Record<string, Act>> = {
  async list({ out }, link, place) {
    const listed = await ask(link, 'prompt.list', place);
    if (!listed.ok) return listed;
    out.document({ projectPath: place.path, prompts: listed.value }, () =>
      columns([['PROMPT', 'FROM', 'PROBLEMS', 'FOR'].map(out.style.dim), ...listed.value.map(rowOf)], {
        width: out.width,
      }),
    );
    return ok(EXIT.ok);
  },
  async check({ out }, link, place) {
    const { path: folder } = place;
    const checked = await ask(link, 'prompt.check', place);
    if (!checked.ok) return checked;
    const problems = problemsOf(checked.value);
    const { valid, prompts } = checked.value;
    out.document(
      { projectPath: folder, valid, checked: prompts.length, overridden: overrides(prompts), problems },
      () => [...problems.flatMap((problem) => problemLines(problem, folder)), verdict(checked.value)],
    );
    return ok(valid ? EXIT.ok : EXIT.invalid);
  },
};

const rowOf = ({ id, source, file, problems, purpose }: PromptRow): string[] => [
  id,
  FROM[source](file),
  problems.length === 0 ? 'none' : String(problems.length),
  purpose,
];

const FROM: Readonly<Record<PromptRow['source'], (file: string) => string>> = {
  builtin: () => 'built in',
  override: (file) => file,
  flag: (file) => `${file} (--prompts)`,
  variable: (file) => `${file} (${PROMPTS_VARIABLE})`,
  none: () => 'nothing',
};

const overrides = (prompts: readonly PromptRow[]): string[] =>
  prompts.filter(({ source }) => source !== 'builtin' && source !== 'none').map(({ file }) => file);

const problemsOf = ({ prompts, strays }: PromptCheck): Problem[] => [
  ...prompts.flatMap(({ problems }) => problems),
  ...strays,
];

function verdict(checked: PromptCheck): string {
  const of = `${counted(checked.prompts.length, 'prompt')}, ${overrides(checked.prompts).length} overridden`;
  const problems = problemsOf(checked).length;
  if (problems === 0) return `${of}: all valid`;
  return `${of}: ${checked.valid ? 'valid, ' : ''}${counted(problems, checked.valid ? 'warning' : 'problem')}`;
}

/** The project of a path; null if the path does not exist. */
function folderOf(cwd: string, path: string | undefined): string | null {
  if (path === undefined) return projectFolder(join(cwd, 'any'));
  const absolute = resolve(cwd, path);
  const facts = statSync(absolute, { throwIfNoEntry: false });
  if (facts === undefined) return null;
  return facts.isDirectory() ? absolute : projectFolder(absolute);
}
