import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
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
      re_prompts:
        - "Leave. RUN=touch $(git rev-parse --git-common-dir)/../escaped.txt"
        - "Tag. RUN=git tag mine || git update-ref refs/muster/mine HEAD"
`;

async function play(of: string): Promise<{ stage: Stage; state: RunState }> {
  expect(sandboxStarts(), "Codex's sandbox does not start here").toBe(true);
  // Its sandbox allows writing to temporary files, so nothing of this test is there.
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'stages');
  mkdirSync(folder, { recursive: true });
  vi.stubEnv('TMPDIR', folder);
  const policy = { permissions: 'allow_edits', read_only: false } as const;
  const stage = await Stage.set(codex, { workflow: of, policy });
  vi.unstubAllEnvs();
  return { stage, state: await finished(stage, await stage.startRun()) };
}

test('Codex over ACP commits in a linked worktree in its sandbox, and cannot write in the checkout', async () => {
  const { stage, state } = await play(workflow);
  expect(state.outcome, told(state)).toBe('succeeded');
  const subject = git(stage.project, 'log', '-1', '--format=%s', state.workspace?.branch ?? '').trim();
  expect(subject, told(state)).toBe('made');
  expect(git(stage.project, 'status', '--porcelain').trim()).toBe('');
  expect(git(stage.project, 'for-each-ref', 'refs/tags', 'refs/muster/mine').trim()).toBe('');
  expect(Object.values(state.gates)).toEqual([]);
});

/**
 * Points git to a repository made by the agent, whose settings start a program outside of the sandbox. The program
 * notes the mark of the agent's processes, which no git of Muster has.
 */
const TRAP = [
  'at=$(git rev-parse --path-format=absolute --git-common-dir)',
  'git clone -q --bare . trap',
  `git config --file trap/config filter.t.clean "echo by:\\$MUSTER_LAUNCH >> $at/../sprung.txt; cat"`,
  "echo '* filter=t' > .gitattributes",
  'echo "$PWD/trap" > "$(git rev-parse --git-dir)/commondir"',
].join(' && ');

const trapped = `
name: Trap
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: codex
      instruction: ${JSON.stringify(`Commit. RUN=${TRAP}`)}
      re_prompts: ["Go on."]
`;

test('Codex cannot lead Muster to a repository of its own by way of the worktree', async () => {
  const { stage, state } = await play(trapped);
  const sprung = join(stage.project, 'sprung.txt');
  expect(existsSync(join(state.workspace?.path ?? '', 'trap', 'config')), told(state)).toBe(true);
  expect(state.outcome, told(state)).toBe('failed');
  expect(told(state)).toContain('commondir was changed');
  // Codex runs `git status` by itself, outside of its sandbox; Muster's own git must not.
  expect(existsSync(sprung) ? readFileSync(sprung, 'utf8') : '').not.toMatch(/^by:$/m);
});
