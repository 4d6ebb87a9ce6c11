import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CliWorld } from './testing/world';

const world = new CliWorld();
beforeAll(() => world.start());
afterAll(() => world.stop());

test('a prompt is not typed when its turn is cancelled while the processes of its agent are counted', async () => {
  const { session, turn } = await world.open();
  const counting = world.points.hold('terminal.activity');
  const end = turn('first say:typed signal');
  await counting.reached;
  const cancelled = session.cancel();
  counting.release();
  expect(await end).toMatchObject({ outcome: 'cancelled' });
  await cancelled;
  expect(await turn('second signal')).toMatchObject({ response: 'answer to second' });
  expect(world.output()).not.toContain('first');
  await session.close();
});

test('Enter is not pressed when the turn is cancelled after its prompt was typed', async () => {
  const { session, turn } = await world.open();
  // The first note says that it is being typed, the second one that it is entered.
  const entering = world.points.hold('terminal.note', { skip: 1, inOrder: true });
  const end = turn('first say:ran signal');
  await entering.reached;
  await vi.waitFor(() => expect(world.output()).toContain('say:ran'), 30_000);
  const cancelled = session.cancel();
  entering.release();
  expect(await end).toMatchObject({ outcome: 'cancelled' });
  await cancelled;
  expect(world.output()).not.toContain('\nran');
  await session.close();
});
