import { expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

const request = (hash: string) => ({ tool: 'edit', title: 'Edit', kind: 'edit', diffs: [], hash });

async function askingAgent(): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a'), task('b')] });
  return harness;
}

/** What an agent is told, once it is. */
function asks(harness: Harness, index: number, hash: string) {
  const told: unknown[] = [];
  void harness.agents.sent[index]?.ask(request(hash)).then((answer) => told.push(answer));
  return told;
}

async function wait(harness: Harness): Promise<void> {
  harness.clock.advance(1_000);
  await harness.idle();
}

test('an agent is told an answer only once its delivery is in the log', async () => {
  const harness = await askingAgent();
  const told = asks(harness, 0, 'h1');
  await harness.idle();
  // The commit of the answer itself passes.
  const delivery = harness.points.hold('log.append', { skip: 1, inOrder: true });
  await harness.answer('allow');
  expect(delivery.isReached).toBe(true);
  expect([harness.state().gates[1]?.status, told]).toEqual(['resolved', []]);
  delivery.release();
  await harness.idle();
  expect(told).toMatchObject([{ allow: true }]);
});

test('a question whose turn ends before the disk takes it is denied, and no one is asked', async () => {
  const harness = await askingAgent();
  harness.log.failing = 1;
  const told = asks(harness, 0, 'h1');
  await harness.idle();
  expect(told).toEqual([]);
  harness.agents.sent[0]?.end({ response: 'done without it' });
  await harness.idle();
  await wait(harness);
  expect(told).toEqual([{ allow: false, always: false, reason: 'The turn has ended.' }]);
  expect(harness.state().gates).toEqual({});
});

test('a question that lost its number to another one while the disk was full is not answered with that one', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const cables = [{ from: 'b.data_out', to: 'ok.data_in' }];
  await harness.run({ steps: [task('a'), task('b'), gate('ok')], cables });
  harness.log.failing = 1;
  const told = asks(harness, 0, 'h1');
  await harness.idle();
  harness.agents.sent[1]?.end({ response: 'x' });
  await harness.idle();
  await wait(harness);
  expect([1, 2].map((id) => harness.state().gates[id]?.kind)).toEqual(['approval', 'permission']);
  await harness.answer('approve', { gateId: 1 });
  expect(told).toEqual([]);
  await harness.answer('allow', { gateId: 2 });
  expect(told).toMatchObject([{ allow: true }]);
});

test('an agent that asks while its run is being cancelled is denied, and the operator is not asked', async () => {
  const harness = await askingAgent();
  harness.agents.heeds = false;
  await harness.cancel();
  expect(harness.state().status).toBe('cancelling');
  const told = asks(harness, 0, 'h1');
  await harness.idle();
  expect(told).toEqual([{ allow: false, always: false, reason: 'The turn has ended.' }]);
  expect(harness.state().gates).toEqual({});
});
