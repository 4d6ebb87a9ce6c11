import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { expect, it } from 'vitest';
import { git, ids, setLoop } from './stage/loop';
import { finished, told } from './stage/runs';

const workspaceOf = (state: RunState): string => state.workspace?.path ?? '';

it('Codex works through three stories: real commits, its own logs, and the updates that follow', async () => {
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
