import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '@contract/errors';
import { listGuarded } from '@main/guarded-files/read';
import type { PromptFolder } from '../contract/folders';
import type { PromptSource } from '../contract/procedures';
import type { PromptSet } from '../contract/schema';

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

/** Files that are never read, such as those with misspelt names. Includes a missing folder. */
export async function strayFiles(layer: PromptLayer, sets: readonly PromptSet[]): Promise<Problem[]> {
  if (layer.source !== 'override') {
    const facts = await stat(layer.root).catch(() => null);
    if (facts?.isDirectory() !== true) return [missingFolder(layer)];
  }
  const inSets = sets.map(async (set) => {
    const names = await listGuarded(layer.root, join(layer.folder, set.id));
    const strays = names.filter((name) => !set.prompts.some(({ file }) => file === name));
    return unread(strays, set.prompts).map(({ name, severity }) => inSet(layer, { set, name, severity }));
  });
  const all = sets.flatMap(({ prompts }) => prompts);
  const found = await listGuarded(layer.root, layer.folder);
  const beside = found.filter((name) => !sets.some(({ id }) => id === name));
  const inOthers = beside.map(async (folder) => {
    const names = await listGuarded(layer.root, join(layer.folder, folder));
    return unread(names, all)
      .filter(({ name }) => isNamed(name, all))
      .map(({ name }) => besideSets(layer, { name: join(folder, name), sets, all }));
  });
  return [
    ...unread(beside, all)
      .filter(({ severity }) => severity === 'error')
      .map(({ name }) => besideSets(layer, { name, sets, all })),
    ...(await Promise.all([...inSets, ...inOthers])).flat(),
  ];
}

type Prompts = PromptSet['prompts'];

/** An extension that a text may have by mistake. */
const TEXT = /(?:\.(?:md|markdown|mdown|mdx|txt|text))?$/i;
const stemOf = (name: string): string => name.replace(TEXT, '').toLowerCase();

/**
 * Files that no prompt reads, except hidden files and notes. What looks like a prompt is an
 * error: its author believes that it counts. Another file, such as an editor's copy, is worth a warning.
 */
function unread(names: readonly string[], prompts: Prompts) {
  return names
    .filter((name) => !/^(\.|readme(\.|$))/i.test(name))
    .sort()
    .map((name) => ({
      name,
      severity: /\.md$/i.test(name) || isNamed(name, prompts) ? ('error' as const) : ('warning' as const),
    }));
}

const isNamed = (name: string, prompts: Prompts): boolean =>
  prompts.some(({ file }) => stemOf(file) === stemOf(name));

interface Stray extends Pick<Problem, 'severity'> {
  readonly set: PromptSet;
  readonly name: string;
}

const inSet = (layer: PromptLayer, { set, name, severity }: Stray): Problem => ({
  code: 'validation.prompt_file',
  severity,
  message: `${name} is not a prompt file of the set ${set.id}, so it is never read`,
  where: { file: layer.nameOf(join(layer.folder, set.id, name)) },
  mend: `the files are ${set.prompts.map(({ file }) => file).join(', ')}; rename it, or move it out of this folder`,
});

interface Beside {
  /** Relative to the folder of the sets. */
  readonly name: string;
  readonly sets: readonly PromptSet[];
  readonly all: Prompts;
}

/** In a project, texts that are no prompts of Muster's may lie beside the sets. */
const besideSets = (layer: PromptLayer, { name, sets, all }: Beside): Problem => ({
  code: 'validation.prompt_file',
  severity: layer.source !== 'override' || isNamed(basename(name), all) ? 'error' : 'warning',
  message: `${name} is not in the folder of a set, so it is never read`,
  where: { file: layer.nameOf(join(layer.folder, name)) },
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
