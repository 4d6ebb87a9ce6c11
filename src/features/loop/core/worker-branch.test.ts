import { describe, expect, test } from 'vitest';
import { LoopHarness, passed } from './testing/loop';

describe('loops whose last worker left their branch', () => {
  test('a loop whose last worker left its branch ends on its own branch', async () => {
    const harness = new LoopHarness(['A']);
    harness.deeds = [{ ...passed('A'), branch: 'fix/x' }];
    await harness.loop();
    expect(harness.state().activations[1]).toMatchObject({ outcome: 'succeeded', warnings: [] });
    expect(harness.updates()[0]?.update.summary[0]).toBe(
      'Its worker left the branch ralph/x for fix/x. Did A.',
    );
    expect(harness.checkout.branch).toBe('ralph/x');
  });

  test('a loop says on which branch it is, where git does not put it back', async () => {
    const harness = new LoopHarness(['A']);
    harness.checkout.sticks = true;
    harness.deeds = [{ ...passed('A'), branch: 'fix/x' }];
    await harness.loop();
    expect(harness.state().activations[1]).toMatchObject({
      outcome: 'succeeded',
      warnings: ['fix/x is checked out, not ralph/x: git could not put it back'],
    });
    expect(harness.updates()[0]?.update.summary[0]).toBe(
      'Its worker left the branch ralph/x for fix/x, which is checked out still. Did A.',
    );
  });
});
