import type { LoopRow } from '@contract/loop/summary';
import { expect, test } from 'vitest';
import { FakeCore } from '../../api/testing/fake-core';
import { EXIT } from '../exit';
import { runProgram } from '../program';
import { FakeLink } from '../testing/fake-link';
import { fakeWorld } from '../testing/fake-world';

const loop: LoopRow = {
  ...{ runUid: 'u', stepId: 'loop', title: 'Loop', projectId: 1, since: 1, live: true, resumable: false },
  ...{ pauseRequested: false, watched: false, runner: null, folder: '.', workerId: 'fake', worker: 'Fake' },
  ...{ story: null, skipped: 0, attempts: 1, openGates: 0, startedAt: 1, finishedAt: null },
  results: { completed: 1, blocked: 0, failed: 0, 'no-op': 0 },
  ...{ runId: 3, activationId: 1, runName: 'Loop: ralph/x', projectName: 'shop', phase: 'working' },
  ...{ branch: 'ralph/x', iteration: 2, of: 10, retry: 1, passing: 1, stories: 4, tokens: 120, costUsd: 0 },
};

async function program(...args: string[]) {
  const core = new FakeCore({ 'loop.list': () => ({ rows: [loop], more: false }) });
  const { world, said } = fakeWorld(['loop', ...args], new FakeLink(core));
  const code = await runProgram(world);
  return { code, ...said, calls: core.calls };
}

test('loops are listed with their iteration and stories', async () => {
  const { code, out } = await program('list');
  expect(code).toBe(EXIT.ok);
  expect(out).toMatch(/3 +working +2\/10 \(retry 1\) +1\/4 +120 +shop +ralph\/x +Loop: ralph\/x/);
});

test.each([[['dance', '3']], [['show']], [['list', '3']]])(
  '%j is wrong usage and names what there is',
  async (args) => {
    const { code, err } = await program(...args);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('start FOLDER, watch FOLDER, list');
  },
);
