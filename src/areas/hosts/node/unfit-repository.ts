import { fail, ok, type Result } from '@contract/result';
import { HOST_FILE_BYTES } from '../contract/limits';

export type LocalGit = (...args: string[]) => Promise<Result<string>>;

/** What a push and a worktree on a host would not carry over is refused by name. */
export async function unfitRepository(git: LocalGit, commit: string): Promise<Result<void>> {
  const shallow = await git('rev-parse', '--is-shallow-repository');
  if (!shallow.ok) return shallow;
  if (shallow.value === 'true')
    return unfit('The repository is shallow.', 'Fetch its history: git fetch --unshallow');
  const listed = await git('ls-tree', '-r', '-l', '-z', '--full-tree', commit);
  if (!listed.ok) return listed;
  const attributes: string[] = [];
  for (const entry of listed.value.split('\0')) {
    const [, mode = '', object = '', size = '', path = ''] =
      /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(entry) ?? [];
    if (mode === '160000') return unfit(`"${path}" is a submodule.`, 'Run the step without a host.');
    if (Number(size) > HOST_FILE_BYTES)
      return unfit(
        `"${path}" is larger than 100 MB.`,
        'Leave it out of the repository, or run the step without a host.',
      );
    if (/(^|\/)\.gitattributes$/.test(path)) attributes.push(object);
  }
  for (const object of attributes) {
    const text = await git('cat-file', 'blob', object);
    if (!text.ok) return text;
    if (/\bfilter=lfs\b/.test(text.value))
      return unfit('The repository uses Git LFS.', 'Run the step without a host.');
  }
  return ok(undefined);
}

const unfit = (what: string, mend: string): Result<never> =>
  fail('host.unfit', `A host cannot work on this project yet: ${what}`, { mend });
