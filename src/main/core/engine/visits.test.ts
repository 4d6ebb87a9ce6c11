import { expect, test } from 'vitest';
import { Harness, task } from './testing/harness';
import { countVisits } from './testing/visits';

const command = (id: string) => ({ id, type: 'step.command', config: { script: ':', terminal: false } });

/** A fan-out over `count` items, with a body of one step. */
const items = (count: number, step: object) => ({
  max_parallel: 4,
  steps: [
    {
      id: 'all',
      type: 'step.workflow',
      config: {
        for_each: { items: Array.from({ length: count }, (_, at) => at) },
        body: { steps: [step] },
      },
    },
  ],
});

const passes = (count: number) => ({
  steps: [
    {
      id: 'all',
      type: 'step.loop',
      config: { until: 'NEVER', max_iterations: count, body: { steps: [command('do')] } },
    },
  ],
});

const parallel = (count: number) => ({
  max_parallel: 4,
  steps: Array.from({ length: count }, (_, at) => command(`s${at}`)),
});

/** Ends the oldest open command or turn; false if there is none. */
function endOne(harness: Harness, ended: Set<object>): boolean {
  const open = harness.commands.ran.find(({ result }) => result === null);
  const turn = harness.agents.sent.find((sent) => !ended.has(sent));
  open?.end({ output: 'done\n' });
  if (turn !== undefined) ended.add(turn);
  turn?.end({ response: 'done' });
  return open !== undefined || turn !== undefined;
}

test.each([
  ['an item with a command', items(130, command('do'))],
  ['an item with an agent', items(130, task('do'))],
  ['a pass of a loop', passes(130)],
  ['a parallel step', parallel(130)],
])('the engine looks at as much of the run for %s near the 120th as near the 20th', async (_, definition) => {
  const harness = new Harness();
  harness.commands.answer = () => null;
  harness.agents.answer = () => null;
  await harness.run(definition);
  const state = harness.engine.live(1)?.state;
  if (state === undefined) throw new Error('the run has ended');
  const visits = countVisits(state);
  const each: number[] = [];
  const ended = new Set<object>();
  while (each.length < 125 && endOne(harness, ended)) {
    await harness.idle();
    each.push(visits.take());
  }
  expect(each).toHaveLength(125);
  const about = (at: number): number => Math.max(...each.slice(at - 3, at + 3));
  expect(about(20)).toBeGreaterThan(10);
  expect(about(120)).toBeLessThanOrEqual(about(20) * 1.05);
});
