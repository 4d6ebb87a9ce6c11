import { expect, test } from 'vitest';
import { Relook } from './relook';

function world() {
  const ends: (() => void)[] = [];
  const state = { now: 0, shown: true, looks: 0 };
  const relook = new Relook({
    look: () => {
      state.looks += 1;
      return new Promise((resolve) => void ends.push(resolve));
    },
    isShown: () => state.shown,
    now: () => state.now,
    leastMs: 100,
  });
  return { state, want: () => relook.want(), end: () => ends.shift()?.() };
}

test('a slow look is not repeated while it lasts, and the next one waits for its least time', async () => {
  const { state, want, end } = world();
  const first = want();
  await want();
  expect(state.looks).toBe(1);
  state.now = 1000;
  end();
  await first;
  state.now = 1099;
  await want();
  expect(state.looks).toBe(1);
  state.now = 1100;
  void want();
  expect(state.looks).toBe(2);
});

test('a window that no one sees looks at nothing', async () => {
  const { state, want } = world();
  state.shown = false;
  await want();
  expect(state.looks).toBe(0);
});
