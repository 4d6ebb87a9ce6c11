import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prompt, World } from '../scripted/testing/world';
import { fakeAgent } from './testing/fake-agent';

/** It reports its additional folders. */
const handlers = (capability: string) => `{
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: ${capability} } }),
  'session/new': ({ additionalDirectories }) => { globalThis.more = additionalDirectories; return { sessionId: 'S' }; },
  'session/load': ({ additionalDirectories }) => { globalThis.more = additionalDirectories; return {}; },
  'session/prompt': () => { text(JSON.stringify(globalThis.more ?? null)); return { stopReason: 'end_turn' }; },
}`;

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd });

interface Wish {
  readonly capability?: string;
  readonly profile?: object;
  readonly spec?: object;
}

async function foldersGiven({ capability = '{ additionalDirectories: {} }', profile, spec }: Wish) {
  const world = new World();
  git(world.project, 'init', '--quiet');
  git(world.project, 'commit', '--allow-empty', '--quiet', '-m', 'first');
  const cwd = join(realpathSync(world.project), '..', 'linked');
  git(world.project, 'worktree', 'add', '--quiet', cwd);
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers(capability)), {
    profile: { permissions: 'allow_edits', ...profile },
    spec: { cwd, ...spec },
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { response } = await opened.value.turn(prompt('x'));
  const given: string[] | null = JSON.parse(response);
  return given?.map((path) => path.replace(realpathSync(world.project), '').replace(world.root, '')) ?? null;
}

const parts = [
  ...['/.git/worktrees/linked', '/.git/objects', '/.git/refs/heads', '/.git/logs/refs/heads'],
  '/artifacts/artifacts',
];

test('an agent that can work in further folders is given those that a commit in its worktree writes, and that for files of the run', async () => {
  expect(await foldersGiven({})).toEqual(parts);
  expect(await foldersGiven({ spec: { resume: { providerSessionId: 'S' } } })).toEqual(parts);
});

test('an agent that cannot work in further folders, only reads or is refused everything is given none', async () => {
  expect(await foldersGiven({ capability: '{}' })).toBeNull();
  expect(await foldersGiven({ profile: { read_only: true } })).toBeNull();
  expect(await foldersGiven({ profile: { permissions: 'deny' } })).toBeNull();
});
