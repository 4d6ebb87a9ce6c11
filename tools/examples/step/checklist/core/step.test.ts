import { Harness } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

test('a checklist asks for each item, and remembers after a restart which were ticked', async () => {
  const harness = new Harness();
  const step = { id: 'release', type: 'step.checklist', config: { items: ['notes', 'tag'] } };
  await harness.run({ steps: [step] });
  await harness.answer('tick');
  await harness.restart();
  expect(harness.state().checklists[1]).toEqual({ ticked: ['notes'] });
  await harness.answer('tick');
  expect(harness.state()).toMatchObject({
    outcome: 'succeeded',
    checklists: { 1: { ticked: ['notes', 'tag'] } },
  });
  expect(harness.state().activations[1]?.outputs.data_out?.content).toBe('notes\ntag');
});
