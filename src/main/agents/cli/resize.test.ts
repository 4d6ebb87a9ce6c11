import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CliWorld } from './testing/world';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
  world.startHere();
});
afterEach(() => world.stop());

test('a turn in which the operator looks at the terminal is read in the size of their pane', {
  timeout: 120_000,
}, async () => {
  const { session, turn } = await world.open([], { profile: { sentinel: '==DONE==', idle_seconds: 60 } });
  expect(await turn('first say:hello done')).toMatchObject({ stopReason: 'sentinel', response: 'hello' });
  const result = turn('second wait:looked page:52 done quiet');
  await vi.waitFor(() => expect(world.output()).toContain('page:52'), 30_000);
  world.look(170, 60);
  writeFileSync(join(world.folder, 'looked'), '');
  const parts = Array.from({ length: 52 }, (_, at) => `part ${at + 1} of 52`).join('\n');
  expect(await result).toMatchObject({ stopReason: 'sentinel', response: parts });
  await session.close();
});
