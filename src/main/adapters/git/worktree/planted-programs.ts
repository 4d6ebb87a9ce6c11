import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Git } from '../command/git-command';

/** Settings whose value is a program that git starts, or a file with such settings. */
const PROGRAMS =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass)|(?:filter|diff|merge|mergetool|difftool|remote|pager|alias|credential|include|includeif|gpg|sequence|uploadpack|browser|man|protocol)\..*(?:clean|smudge|process|command|textconv|driver|cmd|uploadpack|receivepack|helper|path|program|editor|hook)$|alias\.|pager\.|credential\.helper$)/;

const storedSchema = z.array(z.string());
const fileOf = (artifactsDir: string): string => join(artifactsDir, 'git-programs.json');
const MOST_NAMED = 5;

/** The programs that git would start in a repository: `hook post-commit`, `filter.lfs.clean`, with their content. */
async function programsOf(git: Git): Promise<Map<string, string>> {
  const common = await git.text('rev-parse', '--path-format=absolute', '--git-common-dir');
  const found = new Map<string, string>();
  const folder = join(common, 'hooks');
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith('.sample')) continue;
    const file = join(folder, name);
    const facts = await stat(file).catch(() => null);
    if (facts?.isFile() !== true || (facts.mode & 0o111) === 0) continue;
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    found.set(`hook ${name}`, createHash('sha256').update(content).digest('hex'));
  }
  const listed = await git.maybe('config', '--file', join(common, 'config'), '--null', '--list');
  for (const entry of (listed ?? '').split('\0')) {
    const [name = '', ...value] = entry.split('\n');
    if (PROGRAMS.test(name)) found.set(name, value.join('\n'));
  }
  return found;
}

const wordsOf = (programs: ReadonlyMap<string, string>): string[] =>
  [...programs].map(([name, content]) => `${name}\n${content}`);

/** At a run's beginning. Kept by the first call: what is there later may be the agents'. */
export async function notePrograms(git: Git, artifactsDir: string): Promise<void> {
  await mkdir(artifactsDir, { recursive: true });
  await writeFile(fileOf(artifactsDir), JSON.stringify(wordsOf(await programsOf(git))), { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

/** A sentence on the programs that were added or changed during a run; null if there are none, or it is unknown. */
export async function plantedPrograms(git: Git, artifactsDir: string): Promise<string | null> {
  const text = await readFile(fileOf(artifactsDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const known = new Set(storedSchema.catch([]).parse(JSON.parse(text)));
  const fresh = [...(await programsOf(git))].flatMap(([name, content]) =>
    known.has(`${name}\n${content}`) ? [] : [name],
  );
  if (fresh.length === 0) return null;
  const more = fresh.length > MOST_NAMED ? ` and ${fresh.length - MOST_NAMED} more` : '';
  return `During the run, programs that git starts were added to the repository or changed: ${fresh.slice(0, MOST_NAMED).join(', ')}${more}. Check them before you use git there.`;
}
