import { expect, test } from 'vitest';
import { Harness } from '../testing/harness';

const died = { outcome: 'signalled', interrupted: 'the process for terminals died' } as const;
const step = (onInterrupt?: string) => ({
  steps: [
    {
      id: 'build',
      type: 'step.command',
      config: { script: 'make' },
      ...(onInterrupt === undefined ? {} : { on_interrupt: onInterrupt }),
    },
  ],
});

async function runWhoseHostDies(onInterrupt?: string): Promise<Harness> {
  const harness = new Harness();
  harness.commands.answer = () => (harness.commands.ran.length === 1 ? died : { output: 'done\n' });
  await harness.run(step(onInterrupt));
  return harness;
}

test('a command whose host died is run again where its step says on_interrupt: retry', async () => {
  const harness = await runWhoseHostDies('retry');
  expect(harness.commands.ran).toHaveLength(2);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.state().commands[1]?.status).toBe('interrupted');
});

test('a command whose host died is asked about where its step names no policy', async () => {
  const harness = await runWhoseHostDies();
  expect(harness.commands.ran).toHaveLength(1);
  const [gate] = Object.values(harness.state().gates);
  expect(gate).toMatchObject({ status: 'open', kind: 'interrupted_command' });
});

test('a command whose host died fails its step where that says on_interrupt: fail', async () => {
  const harness = await runWhoseHostDies('fail');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
});
