import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { MergeToMake } from '../../../core/ports/workspaces/merges';
import { commitAll, git, Kit, movesBelow, write, writeTool } from '../testing/kit';
import { GitMerges } from './merge';

let kit: Kit;
let work = '';

/** A branch to merge, in a project whose operator signs. */
beforeEach(() => {
  kit = new Kit();
  kit.init('a.txt');
  git(kit.project, 'checkout', '-qb', 'work');
  write(kit.project, 'a.txt', 'changed\n');
  work = commitAll(kit.project);
  git(kit.project, 'checkout', '-q', 'main');
  git(kit.project, 'config', 'user.name', 'Op');
  git(kit.project, 'config', 'user.email', 'op@example.org');
});

/** Signs with a program of our own, called as gpg is. */
function signWith(script: string): void {
  writeTool(kit.project, '.git/sign', `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  git(kit.project, 'config', 'gpg.program', join(kit.project, '.git', 'sign'));
  git(kit.project, 'config', 'commit.gpgSign', 'true');
}

const SIGNS = `echo "$@" > .git/called
printf '[GNUPG:] SIG_CREATED \\n' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'`;

const merge = (more: Partial<MergeToMake> = {}) =>
  new GitMerges(movesBelow(kit.root)).merge({
    projectPath: kit.project,
    commit: work,
    choices: {},
    message: 'Merge it',
    id: 'U1/1/1',
    newer: null,
    rehearsed: { target: 'main', targetCommit: git(kit.project, 'rev-parse', 'HEAD') },
    ...more,
  });

test('a merge is signed as git is configured, as the operator, and says so', async () => {
  signWith(SIGNS);
  expect(await merge()).toMatchObject({ ok: true, value: { kind: 'made', signed: true } });
  expect(git(kit.project, 'cat-file', 'commit', 'HEAD')).toContain('BEGIN PGP SIGNATURE');
  expect(git(kit.project, 'log', '-1', '--format=%cn <%ce>')).toBe('Op <op@example.org>');
  expect(readFileSync(join(kit.project, '.git/called'), 'utf8')).toContain('op@example.org');
});

test('a merge of a project that never signs has no signature', async () => {
  signWith(SIGNS);
  const made = await merge({ sign: 'never' });
  const commit = git(kit.project, 'rev-parse', 'HEAD');
  expect(made).toEqual({ ok: true, value: { kind: 'made', commit } });
  expect(git(kit.project, 'cat-file', 'commit', 'HEAD')).not.toContain('SIGNATURE');
});

test('a merge that cannot be signed leaves the checkout as it is, with the reason and what to do', async () => {
  signWith('echo "gpg: no pinentry" >&2; exit 2');
  const head = git(kit.project, 'rev-parse', 'HEAD');
  expect(await merge()).toMatchObject({
    ok: false,
    error: {
      message: expect.stringContaining('could not be signed, so nothing was merged: '),
      mend: expect.stringContaining('sign: never'),
    },
  });
  expect(git(kit.project, 'rev-parse', 'HEAD')).toBe(head);
});
