import { describe, expect, test } from 'vitest';
import { failing, LoopHarness, passed } from './testing/loop';

const EMPTY = JSON.stringify({ branchName: 'ralph/x', userStories: [] });

async function tidied(...ids: string[]): Promise<LoopHarness> {
  const harness = new LoopHarness(['A', 'B', 'C']);
  harness.deeds = [{ ...passed('A'), lose: ids }];
  await harness.loop();
  return harness;
}

describe('stories that vanish from prd.json', () => {
  test('stories that vanish while they are open stop the loop, which asks, whatever else the attempt did', async () => {
    const harness = await tidied('B', 'C');
    expect(harness.results()).toEqual(['1 failed A']);
    expect(harness.state().outcome).toBeNull();
    expect(harness.openGate()).toMatchObject({
      kind: 'iteration_blocked',
      message: 'It is not safe to go on: prd.json has lost B, C.',
    });
    expect(harness.openGate()?.options[0]?.effect).toBe(
      'prd.json is read again. Where no story is open in it then, the loop ends as done.',
    );
  });

  test('an empty list of stories, or another plan in its place, is no end either', async () => {
    const other = [{ id: 'X', title: 'x', priority: 1, passes: true }];
    for (const spoil of [EMPTY, JSON.stringify({ userStories: other })]) {
      const harness = new LoopHarness(['A']);
      harness.deeds = [{ spoil, say: 'Result: completed' }];
      await harness.loop();
      expect(harness.openGate()?.message).toContain('prd.json has lost A');
      expect(harness.state().outcome).toBeNull();
    }
  });

  test('stories that the operator puts back are worked on', async () => {
    const harness = await tidied('B', 'C');
    const [a] = harness.checkout.stories;
    const back = ['B', 'C'].map((id) => ({ id, title: `Title ${id}`, priority: 2, passes: false }));
    harness.checkout.stories = [...(a === undefined ? [] : [a]), ...back];
    harness.deeds = [passed('B'), passed('C')];
    await harness.answer('continue');
    expect(harness.results().slice(1)).toEqual(['2 completed B', '3 completed C']);
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('stories left out with the operator’s word leave the plan as it is on disk', async () => {
    const harness = await tidied('B');
    harness.deeds = [passed('C')];
    await harness.answer('continue');
    expect(harness.results().slice(1)).toEqual(['2 completed C']);
    expect(harness.state().activations[1]).toMatchObject({
      outcome: 'succeeded',
      warnings: ['lost from prd.json: B'],
    });
  });

  test('stories that vanish in the second try end the loop as failed, as after any other', async () => {
    const harness = new LoopHarness(['A', 'B']);
    harness.deeds = [failing, { ...passed('A'), lose: ['B'] }];
    await harness.loop();
    expect(harness.state().activations[1]).toMatchObject({ outcome: 'failed' });
    expect(harness.updates()[1]?.update.summary[0]).toContain('prd.json has lost B');
  });

  test('stories that vanish are only noted where they pass or are skipped', async () => {
    const harness = new LoopHarness(['A', 'B', 'C']);
    harness.deeds = [{ say: 'Result: blocked' }];
    await harness.loop();
    harness.deeds = [passed('B'), { ...passed('C'), lose: ['A', 'B'] }];
    await harness.answer('skip');
    expect(harness.state().outcome).toBe('succeeded');
    expect(harness.state1.attempts.at(-1)?.judged?.warnings).toContain('stories-lost: A, B');
  });

  test('stories that the operator removes while nothing runs cause no question', async () => {
    const harness = new LoopHarness(['A', 'B', 'C']);
    harness.deeds = [{ say: 'Result: blocked' }];
    await harness.loop();
    harness.checkout.stories = harness.checkout.stories.filter(({ id }) => id !== 'B');
    harness.checkout.stories.push({ id: 'D', title: 'New', priority: 9, passes: false });
    harness.deeds = [passed('A'), passed('C'), passed('D')];
    await harness.answer('continue');
    expect(harness.results().slice(1)).toEqual(['2 completed A', '3 completed C', '4 completed D']);
    expect(harness.state().outcome).toBe('succeeded');
  });
});

test('the question after a spoilt plan says that it has to be repaired, and the words reach the next worker if it is', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ spoil: '{ not JSON', say: 'Result: blocked' }];
  await harness.loop();
  const effects = harness.openGate()?.options.map(({ effect }) => effect) ?? [];
  expect(effects[0]).toContain('It cannot be used now: repair it first.');
  expect(effects.join()).not.toContain('is given what you write');
  harness.checkout.plan = null;
  await harness.answer('continue', { text: 'Leave prd.json alone.' });
  expect(harness.agents.sent[1]?.request.prompt).toContain('Leave prd.json alone.');
});
