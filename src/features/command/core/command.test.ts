import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

test('ARGUMENTS is what the operator wrote, in every command of the run', async () => {
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
