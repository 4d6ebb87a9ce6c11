import type { PermissionRequest } from '@areas/gates/contract/gate';
import { LoopHarness } from '@features/loop/core/testing/loop';
import { describe, expect, test } from 'vitest';
import type { PermissionAnswer } from '../../ports/ports';
import { Harness, task } from '../testing/harness';

const request: PermissionRequest = {
  tool: 'edit',
  title: 'Edit notes.md',
  kind: 'edit',
  diffs: [],
  paths: ['/work/notes.md'],
  hash: 'h1',
};

async function world() {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a', { re_prompts: ['again'] }, { on_interrupt: 'retry' })] });
  return harness;
}
/** Asks in the last sent turn; its answer will be in `told`. */
async function ask(harness: Harness, hash = 'h1') {
  const told: PermissionAnswer[] = [];
  void harness.agents.sent
    .at(-1)
    ?.ask({ ...request, hash })
    .then((answer) => told.push(answer));
  await harness.idle();
  return told;
}
const end = async (harness: Harness, result: object = { response: 'done' }) => {
  harness.agents.sent.at(-1)?.end(result);
  await harness.idle();
};
const statuses = (harness: Harness) =>
  Object.values(harness.state().gates).map((gate) => [gate.turnId, gate.status]);
const ALLOWED = { allow: true, always: false, reason: null };

describe('questions of a turn', () => {
  test('a question of a turn is withdrawn with its end, in one commit, and answers nothing later', async () => {
    const harness = await world();
    await ask(harness);
    const before = harness.log.commits;
    await end(harness);
    expect(harness.log.commits).toBe(before + 1);
    const types = harness.events().map(({ type }) => type);
    const at = types.indexOf('turn.finished');
    expect(types.slice(at, at + 2)).toEqual(['turn.finished', 'gate.withdrawn']);
    expect(harness.agents.sent.at(-1)?.request.prompt).toContain('again');
    const told = await ask(harness);
    expect(statuses(harness)).toEqual([
      [1, 'withdrawn'],
      [2, 'open'],
    ]);
    expect(harness.state().gates[2]?.why).toBeNull();
    await harness.answer('allow', { gateId: 2 });
    expect(told).toEqual([ALLOWED]);
  });

  test('a question is withdrawn where its turn came to its provider’s limit and is sent again later', async () => {
    const harness = await world();
    await ask(harness);
    await end(harness, { outcome: 'limit', limitResetsAt: harness.clock.now() + 2000 });
    expect(statuses(harness)).toEqual([[1, 'withdrawn']]);
    harness.clock.advance(2001);
    await harness.idle();
    expect(harness.agents.sent).toHaveLength(2);
    expect(await ask(harness)).toEqual([]);
    expect(statuses(harness)).toEqual([
      [1, 'withdrawn'],
      [2, 'open'],
    ]);
  });

  test('a question waits on where its turn was cut off, until the turn that stands in for it ends', async () => {
    const harness = await world();
    await ask(harness);
    await harness.restart();
    await harness.restart();
    expect(statuses(harness)).toEqual([[1, 'open']]);
    expect(harness.agents.sent.at(-1)?.request.turnId).toBe(3);
    await end(harness);
    expect(statuses(harness)).toEqual([[1, 'withdrawn']]);
  });

  test('an answer given after its turn was cut off goes to the turn that stands in for it, not to a later one', async () => {
    const harness = await world();
    await ask(harness);
    await harness.restart();
    await harness.answer('allow');
    await end(harness);
    expect(await ask(harness)).toEqual([]);
    expect(statuses(harness)).toEqual([
      [1, 'resolved'],
      [3, 'open'],
    ]);
  });
});

describe('the same question twice at once in a resumed turn', () => {
  test('a question that a resumed turn asks twice at once waits at a gate for each of them', async () => {
    const harness = await world();
    await ask(harness);
    await harness.restart();
    const [first, second] = [await ask(harness), await ask(harness)];
    expect(harness.state().gates[2]).toMatchObject({
      status: 'open',
      why: expect.stringContaining('the same more than once'),
    });
    await harness.answer('deny', { gateId: 2, reason: 'once is enough' });
    await harness.answer('allow', { gateId: 1 });
    expect(first).toEqual([ALLOWED]);
    expect(second).toEqual([{ allow: false, always: false, reason: 'once is enough' }]);
  });

  test('a repeated question gets a stored answer once, also where the store does not take it at first', async () => {
    const harness = await world();
    await ask(harness);
    await harness.restart();
    await harness.answer('allow');
    harness.log.failing = 2;
    const asked = [ask(harness), ask(harness)];
    const told = await Promise.all(asked);
    harness.clock.advance(300);
    await harness.idle();
    harness.clock.advance(1_000);
    await harness.idle();
    expect(told.flat()).toEqual([ALLOWED]);
    expect(statuses(harness)).toEqual([
      [1, 'resolved'],
      [2, 'open'],
    ]);
    await harness.answer('deny');
    expect(told.flat()).toHaveLength(2);
  });

  test('a question whose stored answer went to its repetition while the disk was full is asked again', async () => {
    const harness = await world();
    await ask(harness);
    await harness.restart();
    await harness.answer('allow');
    harness.log.failing = 1;
    const [first, second] = [await ask(harness), await ask(harness)];
    expect([first, second]).toEqual([[], [ALLOWED]]);
    harness.clock.advance(300);
    await harness.idle();
    expect(first).toEqual([]);
    expect(statuses(harness)).toEqual([
      [1, 'resolved'],
      [2, 'open'],
    ]);
  });

  test('a repeated question waits at the gate that it opened, where the store did not take it at first', async () => {
    const harness = await world();
    harness.log.failing = 2;
    const asked = [ask(harness, 'one'), ask(harness, 'two')];
    const told = await Promise.all(asked);
    harness.clock.advance(300);
    await harness.idle();
    harness.clock.advance(1_000);
    await harness.idle();
    expect([...(harness.engine.live(1)?.pendingPermissions.keys() ?? [])].sort()).toEqual([1, 2]);
    const one = Object.values(harness.state().gates).find((gate) => gate.request?.hash === 'one')?.id ?? 0;
    await harness.answer('deny', { gateId: one });
    expect(told.map((all) => all.map(({ allow }) => allow))).toEqual([[false], []]);
  });
});

test('a question is withdrawn where its attempt was cut off and the next one begins again', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ hang: true }, { hang: true }];
  await harness.loop();
  await ask(harness);
  expect(statuses(harness)).toEqual([[1, 'open']]);
  await harness.restart();
  expect(harness.state1.attempts).toHaveLength(2);
  expect(statuses(harness)).toEqual([[1, 'withdrawn']]);
});
