import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

test('the variable ARGUMENTS is what the operator wrote, in every command of the run', async () => {
  const harness = new Harness();
  const command = (id: string) => ({ id, type: 'step.command', config: { script: 'echo "$ARGUMENTS"' } });
  await harness.run(
    {
      steps: [command('first'), task('draft'), command('last')],
      cables: [
        { from: 'first.data_out', to: 'draft.data_in' },
        { from: 'draft.data_out', to: 'last.data_in' },
      ],
    },
    { instruction: 'Version 0.4' },
  );
  const env = harness.events().flatMap((event) => (event.type === 'command.started' ? [event.env] : []));
  expect(env.map((one) => one.ARGUMENTS)).toEqual(['Version 0.4', 'Version 0.4']);
});

test('the variable REJECTION_REASON is why a gate led back to the command, and empty before', async () => {
  const harness = new Harness();
  const make = {
    id: 'make',
    type: 'step.command',
    config: { script: 'make "$REJECTION_REASON"', terminal: false },
  };
  await harness.run({
    steps: [make, gate('ok')],
    cables: [
      { from: 'make.data_out', to: 'ok.data_in' },
      { from: 'ok.revise_out', to: 'make.instruction_in' },
    ],
  });
  await harness.answer('reject', { reason: 'no $(id), please' });
  const started = harness.events().flatMap((event) => (event.type === 'command.started' ? [event] : []));
  expect(started.map(({ script }) => script)).toEqual(Array(2).fill(`make "\${MUSTER_REF_1}"`));
  expect(started.map(({ env }) => [env.MUSTER_REF_1, env.REJECTION_REASON])).toEqual([
    ['', undefined],
    ['no $(id), please', 'no $(id), please'],
  ]);
});
