import { expect, test } from 'vitest';
import { placedOn } from './window-placement';

const screen = { x: 0, y: 0, width: 1920, height: 1040 };
const right = { x: 1920, y: 0, width: 1280, height: 1000 };
const state = { x: 100, y: 50, width: 1280, height: 800, maximised: true };
const { x: _x, y: _y, ...unplaced } = state;

test('a window comes back where it was, while that is on a screen', () => {
  expect(placedOn(state, [screen])).toEqual(state);
  expect(placedOn({ ...state, x: 2000 }, [screen, right])).toEqual({ ...state, x: 2000 });
});

test('a window whose screen is gone, or that would hardly be seen, is placed again', () => {
  expect(placedOn({ ...state, x: 2000 }, [screen])).toEqual(unplaced);
  expect(placedOn({ ...state, x: 1850 }, [screen])).toEqual(unplaced);
  expect(placedOn({ ...state, y: -300 }, [screen])).toEqual(unplaced);
  expect(placedOn(unplaced, [screen])).toEqual(unplaced);
});

test('a window is no larger than the largest screen', () => {
  expect(placedOn({ ...unplaced, width: 4000, height: 3000 }, [right, screen])).toEqual({
    width: 1920,
    height: 1040,
    maximised: true,
  });
});
