import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inFrame } from './in-frame';

let frames: Map<number, () => void>;

beforeEach(() => {
  frames = new Map();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => {
    frames.set(frames.size + 1, draw);
    return frames.size;
  });
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a task runs in the next frame, and not again', () => {
  const run = vi.fn();
  inFrame(run);
  expect(run).not.toHaveBeenCalled();
  for (const draw of [...frames.values()]) draw();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

test('a task runs once also where there are no frames', () => {
  const run = vi.fn();
  inFrame(run);
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
  expect(frames.size).toBe(0);
});
