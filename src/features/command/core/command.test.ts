import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { makePlan } from '@main/core/engine/plan/plan';
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

test('references in the values of env are inserted as text, and a name that is no variable is refused', async () => {
  const harness = new Harness();
  const use = (env: object) => ({
    id: 'use',
    type: 'step.command',
    config: { script: 'echo "$TITLE"', env },
  });
  const cables = [{ from: 'draft.signal_out', to: 'use.signal_in' }];
  harness.agents.answer = () => ({ response: 'a $(title)' });
  await harness.run({ steps: [task('draft'), use({ TITLE: 'On $draft.output' })], cables });
  const [started] = harness.events().flatMap((event) => (event.type === 'command.started' ? [event] : []));
  expect(started?.env.TITLE).toBe('On a $(title)');
  expect(started?.script).toBe('echo "$TITLE"');
  const definition = workflowDefinitionSchema.parse({ name: 'w', steps: [use({ 'B C': 'x' })] });
  const context = { registry: stepRegistry, profiles: {}, defaultProfile: null };
  expect(makePlan(definition, context).problems).toMatchObject([
    { code: 'validation.config', message: expect.stringContaining('the name of a variable') },
  ]);
});
