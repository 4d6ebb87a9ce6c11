import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lastPid, wholeDetached } from './detached-git';

test('the id of a detached git is in its folder before git itself begins', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-detached-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, binary] = [join(root, 'move'), join(root, 'git')];
  writeFileSync(binary, `#!/bin/sh\necho "$(cat '${folder}/pid') $$ $1"\n`);
  chmodSync(binary, 0o755);
  const start = { args: ['two words'], cwd: root, env: process.env, input: null };
  const said = (await wholeDetached(start, folder, { binary, longestMs: 60_000 })).toString().trim();
  const pid = await lastPid(folder);
  expect(said).toBe(`${pid} ${pid} two words`);
});
