import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { expect, it } from 'vitest';
import { codex } from './stage/agents';
import { finished, told } from './stage/runs';
import { Stage } from './stage/stage';

const ids = ['US-001', 'US-002', 'US-003'];
const plan = JSON.stringify({
  branchName: 'ralph/real',
  userStories: ids.map((id, index) => ({
    id,
    title: `Story ${id}`,
    priority: index + 1,
    passes: false,
    notes: '',
  })),
});

const workflow = `
name: Loop
steps:
  - id: loop
    type: step.ralph
    config:
      worker: { acp_profile_id: codex-exec }
      iterations: 5
`;

/** The same program without a terminal. */
const codexExec = { ...codex, id: 'codex-exec' as const, mode: () => null };

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

const workspaceOf = (state: RunState): string => state.workspace?.path ?? '';

it('Codex works through three stories: real commits, its own logs, and the updates that follow', async () => {
  const stage = await Stage.set(codexExec, { workflow });
  writeFileSync(join(stage.project, 'prd.json'), plan);
  git(stage.project, 'add', '-A');
  git(stage.project, 'commit', '-qm', 'plan');
  stage.models.script({
    when: ({ prompt, results, tools }) =>
      prompt.includes('Your story: ') && results.length === 0 && tools.length > 0,
    answer({ prompt, tools }) {
      const id = /Your story: (US-\d+)/.exec(prompt)?.[1] ?? '';
      const tool = tools.find(({ name }) => name === 'exec_command');
      if (!tool) throw new Error(`Codex has no exec_command, but ${tools.map(({ name }) => name).join()}`);
      const flip = `const f='prd.json',fs=require('fs'),p=JSON.parse(fs.readFileSync(f));p.userStories.find(s=>s.id==='${id}').passes=true;fs.writeFileSync(f,JSON.stringify(p))`;
      const cmd = `node -e "${flip}" && git add prd.json && git -c user.name=W -c user.email=w@x.org commit -qm 'feat: [${id}] - Story ${id}'`;
      return { text: 'I will use a tool.', call: { tool, input: { cmd } } };
    },
  });
  stage.models.script({
    when: ({ prompt, results }) => prompt.includes('Your story: ') && results.length > 0,
    answer: { text: 'The story is done.\nResult: completed' },
  });
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
