import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '@contract/errors';
import type { PromptFolder } from '@contract/prompts/folders';
import type { PromptSource } from '@contract/prompts/procedures';
import type { PromptSet } from '@contract/prompts/schema';
import { listGuarded } from '../../guarded-files/read';

/** The folder of a project's own texts, with a subfolder for each set. */
export const PROMPTS_DIR = join('.muster', 'prompts');

/** A source of texts that override Muster's own. */
export interface PromptLayer {
  readonly source: Exclude<PromptSource, 'builtin' | 'none'>;
  /** No file outside of it is read. */
  readonly root: string;
  /** The folder of the sets, relative to `root`. */
  readonly folder: string;
  /** A file's path for the operator; `file` is relative to `root`. */
  nameOf(file: string): string;
}

/** The sources in order of precedence: flag, environment variable, project. */
export function promptLayers(
  projectPath: string | null,
  given: readonly PromptFolder[],
  variable: string | undefined,
): PromptLayer[] {
  const hasVariable = given.some(({ from }) => from === 'variable');
  const all: readonly PromptFolder[] =
    variable === undefined || hasVariable ? given : [...given, { path: variable, from: 'variable' }];
  const folders = all.map(
    ({ path, from }): PromptLayer => ({
      source: from,
      root: path,
      folder: '',
      nameOf: (file) => join(path, file),
    }),
  );
  if (projectPath === null) return folders;
  return [...folders, { source: 'override', root: projectPath, folder: PROMPTS_DIR, nameOf: (file) => file }];
}

/** Files that match no prompt, such as misspelt names. Includes a missing folder. */
export async function strayFiles(layer: PromptLayer, sets: readonly PromptSet[]): Promise<Problem[]> {
  if (layer.source !== 'override') {
    const facts = await stat(layer.root).catch(() => null);
    if (facts?.isDirectory() !== true) return [missingFolder(layer)];
  }
  const inSets = sets.map(async (set): Promise<Problem[]> => {
    const known = set.prompts.map(({ file }) => file);
    const names = await listGuarded(layer.root, join(layer.folder, set.id));
    return texts(names)
      .filter((name) => !known.includes(name))
      .map((name) => ({
        code: 'validation.prompt_file',
        severity: 'error',
        message: `${name} is not a prompt file of the set ${set.id}, so it is never read`,
        where: { file: layer.nameOf(join(layer.folder, set.id, name)) },
        mend: `the files are ${known.join(', ')}; rename it, or move it out of this folder`,
      }));
  });
  const beside = layer.source === 'override' ? [] : texts(await listGuarded(layer.root, ''));
  return [...beside.map((name) => besideSets(layer, name, sets)), ...(await Promise.all(inSets)).flat()];
}

/** Markdown files except notes. */
const texts = (names: readonly string[]): string[] =>
  names.filter((name) => /\.md$/i.test(name) && !/^(\.|readme\.md$)/i.test(name)).sort();

const besideSets = (layer: PromptLayer, name: string, sets: readonly PromptSet[]): Problem => ({
  code: 'validation.prompt_file',
  severity: 'error',
  message: `${name} is not in the folder of a set, so it is never read`,
  where: { file: layer.nameOf(name) },
  mend: `move it into one of ${sets.map(({ id }) => id).join(', ')}`,
});

const NAMED_BY: Readonly<Record<PromptFolder['from'], string>> = {
  flag: '--prompts',
  variable: 'MUSTER_PROMPTS',
};

const missingFolder = ({ root, source }: PromptLayer): Problem => ({
  code: 'validation.prompt_file',
  severity: 'error',
  message: `there is no folder ${root}`,
  where: { file: root },
  mend: source === 'override' ? 'make it' : `make it, or name another one with ${NAMED_BY[source]}`,
});
