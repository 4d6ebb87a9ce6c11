import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prompt, until, World } from '../../scripted/testing/world';
import { fake } from '../testing/fake-agent';

const quick = (lateMs: number) => ({ acp: { limits: { lateMs, mostLateMs: 10 * lateMs } } });

test('what an agent sends right after the end of its turn is part of that turn', async () => {
  const answers = `{ n: 0, 'session/prompt': async () => {
    const turn = handlers.n += 1;
    text(turn === 1 ? 'Part one: ' : 'Answer two.');
    if (turn === 1) setTimeout(() => text('TAIL'), 1);
    return { stopReason: 'end_turn' };
  } }`;
  const session = await fake(new World(), answers, quick(1_000));
  expect((await session.turn(prompt('Q1'))).response).toBe('Part one: TAIL');
  expect((await session.turn(prompt('Q2'))).response).toBe('Answer two.');
});

test('what comes later still is shown with its turn, and is no part of the next response', async () => {
  const world = new World();
  // Sends the rest once a file is there.
  const answers = `{ n: 0, 'session/prompt': async () => {
    const turn = handlers.n += 1;
    text(turn === 1 ? 'Part one: ' : 'Answer two.');
    const look = setInterval(() => {
      if (turn !== 1 || !require('node:fs').existsSync('go')) return;
      clearInterval(look);
      text('TAIL');
    }, 5);
    return { stopReason: 'end_turn' };
  } }`;
  const session = await fake(world, answers, quick(5));
  expect((await session.turn(prompt('Q1'))).response).toBe('Part one: ');
  writeFileSync(join(world.cwd, 'go'), '');
  await until(() => world.listener.text('notice').includes('After the end of this turn: TAIL'));
  expect((await session.turn(prompt('Q2'))).response).toBe('Answer two.');
});

test('the rest of a message of an earlier turn is no part of the answer to the next prompt', async () => {
  const world = new World();
  const answers = `{ n: 0, 'session/prompt': async () => {
    const turn = handlers.n += 1;
    if (turn === 2) text('TAIL', { messageId: 'one' });
    text(turn === 1 ? 'Part one: ' : 'Answer two.', { messageId: turn === 1 ? 'one' : 'two' });
    return { stopReason: 'end_turn' };
  } }`;
  const session = await fake(world, answers, quick(5));
  await session.turn(prompt('Q1'));
  expect((await session.turn(prompt('Q2'))).response).toBe('Answer two.');
  await until(() => world.listener.text('notice').includes('After the end of this turn: TAIL'));
});

test('an agent that never stops sending holds up the end of its turn for a bounded time only', async () => {
  const endless = `{ 'session/prompt': () => {
    setInterval(() => text('x'), 5);
    return { stopReason: 'end_turn' };
  } }`;
  const session = await fake(new World(), endless, quick(20));
  expect(await session.turn(prompt('Q1'))).toMatchObject({ outcome: 'completed' });
});
