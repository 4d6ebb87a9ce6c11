import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { expect, test } from 'vitest';
import { git, ids, sandboxStarts, setLoop } from './stage/loop';
import { finished, told } from './stage/runs';

const workspaceOf = (state: RunState): string => state.workspace?.path ?? '';

test('Codex works through three stories: real commits, its own logs, and the updates that follow', async () => {
  const stage = await setLoop('The story is done.\nResult: completed');
  const runId = await stage.startRun();
  const state = await finished(stage, runId);
  expect(state.outcome, told(state)).toBe('succeeded');
  const attempts = state.loops[1]?.attempts ?? [];
  expect(
    attempts.map(({ judged }) => [judged?.result, judged?.storyId, judged?.storySource, judged?.warnings]),
  ).toEqual(ids.map((id) => ['completed', id, 'prd', []]));
  const path = workspaceOf(state);
  expect(git(path, 'log', '--format=%s', '-3', 'ralph/real').trim().split('\n')).toEqual(
    [...ids].reverse().map((id) => `feat: [${id}] - Story ${id}`),
  );
  for (const n of [1, 2, 3]) {
    const log = (ending: string) => readFileSync(join(path, 'logs', `codex-iteration-${n}${ending}`), 'utf8');
    expect(log('.jsonl')).toContain('"type":"turn.completed"');
    expect(log('-last-message.txt')).toBe('The story is done.\nResult: completed');
    expect(typeof log('-stderr.log')).toBe('string');
  }
  expect(attempts.every(({ after }) => (after?.codex?.usage?.total_tokens ?? 0) > 0)).toBe(true);
  expect(new Set(attempts.map(({ after }) => after?.codex?.threadId)).size).toBe(3);
});

test('Codex is given a prompt that is too long for an argument, whole', async () => {
  const prompt = `Your story: {story}\n${'All of this is to be kept in mind. '.repeat(4_000)}\nTHE-VERY-END`;
  const stage = await setLoop('The story is done.\nResult: completed', { prompt });
  const runId = await stage.startRun();
  const state = await finished(stage, runId);
  expect(state.outcome, told(state)).toBe('succeeded');
  const asked = stage.models.requests.map((request) => JSON.stringify(request));
  expect(asked.some((text) => text.includes('Your story: US-001') && text.includes('THE-VERY-END'))).toBe(
    true,
  );
});

const sandbox = sandboxStarts();
if (!sandbox) console.log("skipped: Codex's sandbox does not start here");

test.skipIf(!sandbox)(
  'Codex with its default settings works in its sandbox, and commits in the worktree of the loop',
  async () => {
    const tries = (project: string) => `echo x > '${project}/escaped.txt'`;
    const stage = await setLoop('The story is done.\nResult: completed', { asFound: true, tries });
    const runId = await stage.startRun();
    const state = await finished(stage, runId);
    expect(state.profiles['codex-exec']?.permissions).toBe('allow_edits');
    expect(state.outcome, told(state)).toBe('succeeded');
    const attempts = state.loops[1]?.attempts ?? [];
    expect(attempts.map(({ judged }) => [judged?.result, judged?.storyId, judged?.warnings])).toEqual(
      ids.map((id) => ['completed', id, []]),
    );
    expect(git(stage.project, 'log', '--format=%s', '-3', 'ralph/real').trim().split('\n')).toEqual(
      [...ids].reverse().map((id) => `feat: [${id}] - Story ${id}`),
    );
    // The agent cannot reach the operator's own checkout.
    expect(git(stage.project, 'status', '--porcelain').trim()).toBe('');
  },
);
