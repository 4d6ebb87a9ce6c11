import { expect, test } from 'vitest';
import { oneAfterAnother } from './one-after-another';

function reader() {
  const answers: (() => void)[] = [];
  let asked = 0;
  const shown: number[] = [];
  const read = oneAfterAnother(async () => {
    asked += 1;
    const mine = asked;
    await new Promise<void>((resolve) => answers.push(resolve));
    shown.push(mine);
  });
  return { read, shown, answer: () => answers.shift()?.(), asked: () => asked };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a value that changes faster than it can be read is still shown, one reply at a time', async () => {
  const { read, shown, answer, asked } = reader();
  for (let round = 1; round <= 3; round += 1) {
    for (let change = 0; change < 5; change += 1) void read();
    await settled();
    expect(asked()).toBe(round);
    answer();
    await settled();
  }
  expect(shown).toEqual([1, 2, 3]);
});

test('a caller waits for a reading that began after its request', async () => {
  const { read, shown, answer } = reader();
  void read();
  let done = false;
  const mine = read().then(() => {
    done = true;
  });
  answer();
  await settled();
  expect([done, shown]).toEqual([false, [1]]);
  answer();
  await mine;
  expect(shown).toEqual([1, 2]);
});
