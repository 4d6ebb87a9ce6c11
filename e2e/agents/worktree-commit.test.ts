import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { codex } from './stage/agents';
import { git, sandboxStarts } from './stage/loop';
import { finished, told } from './stage/runs';
import { Stage } from './stage/stage';

const COMMIT = 'git -c user.name=W -c user.email=w@example.org commit --allow-empty -qm made';

const workflow = `
name: Commit
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: codex
      instruction: "Commit. RUN=${COMMIT}"
      re_prompts: ["Leave. RUN=touch $(git rev-parse --git-common-dir)/../escaped.txt"]
`;

test('Codex over ACP commits in a linked worktree in its sandbox, and cannot write in the checkout', async () => {
  expect(sandboxStarts(), "Codex's sandbox does not start here").toBe(true);
  // Its sandbox lets it write among temporary files, so nothing of this test lies there.
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'stages');
  mkdirSync(folder, { recursive: true });
  vi.stubEnv('TMPDIR', folder);
  const policy = { permissions: 'allow_edits', read_only: false } as const;
  const stage = await Stage.set(codex, { workflow, policy });
  vi.unstubAllEnvs();
  const state = await finished(stage, await stage.startRun());
  expect(state.outcome, told(state)).toBe('succeeded');
  const subject = git(stage.project, 'log', '-1', '--format=%s', state.workspace?.branch ?? '').trim();
  expect(subject, told(state)).toBe('made');
  expect(git(stage.project, 'status', '--porcelain').trim()).toBe('');
  expect(Object.values(state.gates)).toEqual([]);
});
