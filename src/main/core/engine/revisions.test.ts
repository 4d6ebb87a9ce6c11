import { describe, expect, test } from 'vitest';
import { gate, Harness, task } from './testing/harness';

const back = (id: string) => [
  { from: 'a.data_out', to: `${id}.data_in` },
  { from: `${id}.revise_out`, to: 'a.instruction_in' },
];
async function looked(config: Record<string, unknown> = {}): Promise<Harness> {
  const harness = new Harness();
  await harness.run({
    steps: [task('a', { session_mode: 'new', ...config }), gate('one'), gate('two')],
    cables: [...back('one'), ...back('two')],
  });
  return harness;
}
const asks = (harness: Harness, stepId: string) =>
  Object.values(harness.state().gates).find(
    ({ activationId, status }) =>
      status === 'open' && harness.state().activations[activationId ?? 0]?.stepId === stepId,
  )?.id ?? 0;
const refuse = (harness: Harness, stepId: string, reason: string) =>
  harness.answer('reject', { gateId: asks(harness, stepId), reason });
const last = (harness: Harness) => harness.agents.sent.at(-1)?.request.prompt ?? '';

describe('two reviewers of the same work', () => {
  test('two reviewers who ask for changes one after the other are both heard by the step that works on it again', async () => {
    const harness = await looked();
    harness.agents.answer = () => null;
    await refuse(harness, 'one', 'make it blue');
    expect(last(harness)).toContain('make it blue');
    await refuse(harness, 'two', 'make it short');
    harness.agents.sent.at(-1)?.end({ response: 'blue' });
    await harness.idle();
    expect(harness.state().steps.a?.activationIds).toHaveLength(3);
    expect(last(harness)).toContain('make it blue');
    expect(last(harness)).toContain('make it short');
  });

  test('a reason is not told again once the work was reviewed again', async () => {
    const harness = await looked();
    await refuse(harness, 'one', 'make it blue');
    await harness.answer('approve', { gateId: asks(harness, 'two') });
    // The work is new, so both are asked again.
    await harness.answer('approve', { gateId: asks(harness, 'one') });
    await refuse(harness, 'two', 'make it short');
    expect(last(harness)).toContain('make it short');
    expect(last(harness).split('## Revision requested').slice(-1).join()).not.toContain('make it blue');
  });

  test('a step that is revised in a new session is given its last version once, before the reason', async () => {
    const harness = await looked();
    harness.agents.answer = () => ({ response: 'A red draft.' });
    await refuse(harness, 'one', 'make it blue');
    await refuse(harness, 'two', 'make it short');
    expect(last(harness)).toMatch(
      /^do a\n\n## Your last version\nA red draft\.\n\n## Revision requested\nmake it (blue|short)/,
    );
    expect(last(harness).split('A red draft.')).toHaveLength(2);
  });

  test('a step that is revised in its own session is not told what it has said there', async () => {
    const harness = await looked({ session_persist: true });
    await refuse(harness, 'one', 'make it blue');
    expect(last(harness)).toBe('do a\n\n## Revision requested\nmake it blue');
  });

  test('a run ends as rejected where one reviewer rejects for good and the other then asks for changes', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a'), gate('one'), gate('two')],
      cables: [{ from: 'a.data_out', to: 'one.data_in' }, ...back('two')],
    });
    await refuse(harness, 'one', 'never');
    await refuse(harness, 'two', 'make it short');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'rejected' });
    expect(harness.state().steps.a?.skipped).toBeNull();
  });
});
