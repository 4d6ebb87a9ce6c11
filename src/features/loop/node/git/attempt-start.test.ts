import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, Kit, movesOfFile } from '@main/adapters/git/testing/kit';
import { expect, test } from 'vitest';
import { GitLoops } from './';

const loops = new GitLoops(movesOfFile());
const plan = (passes: boolean) => `${JSON.stringify({ userStories: [{ id: 'A', passes }] })}\n`;

/** Git also writes the committer's time into HEAD's reflog. */
function commitAt(cwd: string, subject: string, offsetSeconds: number): string {
  const date = `@${Math.floor(Date.now() / 1000) + offsetSeconds} +0000`;
  const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
  execFileSync('git', [...identity, 'add', '--all'], { cwd });
  execFileSync('git', [...identity, 'commit', '-qm', subject], { cwd, env });
  return git(cwd, 'rev-parse', 'HEAD');
}

function startedLoop({ tracked = true } = {}) {
  const kit = new Kit();
  const cwd = kit.project;
  git(cwd, 'init', '-q', '-b', 'main');
  const ignored = ['logs', 'progress.txt', ...(tracked ? [] : ['prd.json'])];
  writeFileSync(join(cwd, '.git', 'info', 'exclude'), `${ignored.join('\n')}\n`);
  writeFileSync(join(cwd, 'a.txt'), 'a');
  writeFileSync(join(cwd, 'prd.json'), plan(false));
  const before = commitAt(cwd, 'plan', -3_600);
  mkdirSync(join(cwd, 'logs'));
  writeFileSync(join(cwd, 'logs', 'codex-iteration-1.jsonl'), '{"type":"thread.started"}\n');
  return { cwd, before, place: { cwd, folder: '.' } };
}

test('the work of an attempt before the watch is taken from the log of HEAD and from its commits', async () => {
  const { cwd, before, place } = startedLoop();
  writeFileSync(join(cwd, 'prd.json'), plan(true));
  commitAt(cwd, 'feat: [A] - x', 5);
  expect(await loops.begun(place, 1)).toMatchObject({
    value: { head: before, text: plan(false).trimEnd(), untold: [] },
  });
});

test('a commit in the very second of the beginning may be either side, and that is said', async () => {
  const { cwd, place } = startedLoop();
  writeFileSync(join(cwd, 'b.txt'), 'b');
  commitAt(cwd, 'work', 0);
  const begun = await loops.begun(place, 1);
  if (!begun.ok) throw new Error(begun.error.message);
  const sameSecond = begun.value.untold.includes('commits');
  // If the second has passed meanwhile, the commit is the attempt's.
  expect(sameSecond || begun.value.head !== git(cwd, 'rev-parse', 'HEAD')).toBe(true);
});

test('a plan outside of git that was changed since is not taken for the one of the beginning', async () => {
  const { cwd, place } = startedLoop({ tracked: false });
  writeFileSync(join(cwd, 'prd.json'), plan(true));
  const later = Date.now() / 1000 + 10;
  utimesSync(join(cwd, 'prd.json'), later, later);
  expect(await loops.begun(place, 1)).toMatchObject({ value: { untold: ['plan'] } });
});
