import { lstat } from 'node:fs/promises';
import type { Checkout } from '../checkout';
import { bytesOf, type Git, GitError, readable } from '../command/git-command';
import { within } from './present-state';

/** Each one starts git twice. */
const MOST_LOOKED_AT = 50;

/** What a snapshot, and so a merge, leaves out of submodules: their own changes, and commits only they have. */
export async function submoduleNotes(checkout: Checkout): Promise<string[]> {
  const { git, top } = checkout;
  const entries = await git.records(['ls-files', '-z', '-s', ...within(checkout)]);
  const links = entries.filter((entry) => entry.startsWith('160000'));
  const notes: string[] = [];
  for (const entry of links.slice(0, MOST_LOOKED_AT)) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    const folder = bytesOf(`${Buffer.from(`${top}/`).toString('latin1')}${path}`).toString('utf8');
    if ((await lstat(`${folder}/.git`).catch(() => null)) === null) continue;
    const [, recorded = ''] = entry.split(' ');
    const note = await noteOn(git.at(folder), recorded).catch((error: unknown) => {
      if (error instanceof GitError) return 'cannot be read';
      throw error;
    });
    if (note !== null) notes.push(`The submodule ${readable(path)} ${note}.`);
  }
  return notes;
}

async function noteOn(git: Git, recorded: string): Promise<string | null> {
  const head = await git.maybe('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const commits =
    head === null || head === recorded
      ? null
      : `is at the commit ${head.slice(0, 12)}, which a merge names but does not bring: push it from there`;
  const changes = (await isChanged(git)) ? 'has changes that a merge leaves out' : null;
  return [changes, commits].filter((one) => one !== null).join(', and ') || null;
}

/** An agent can have planted filters in a submodule, which git would run to compare its files. */
async function isChanged(git: Git): Promise<boolean> {
  const filters = await git.maybe('config', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|process)$');
  const off = (filters ?? '').split('\n').flatMap((name) => (name === '' ? [] : ['-c', `${name}=`]));
  return (await git.text(...off, 'status', '--porcelain', '--ignore-submodules=none')) !== '';
}
