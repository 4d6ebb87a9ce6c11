import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ERRORS_BEHIND_BYTES, ERRORS_BEHIND_MS } from '../../../limits/terminal-host';
import { ErrorsAfterOutput } from './errors-after-output';

const printed: string[] = [];
const errors = new ErrorsAfterOutput((piece) => printed.push(piece.toString()));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  errors.flush();
  printed.length = 0;
  vi.useRealTimers();
});

test('a piece of standard error is printed once no output came for a moment', () => {
  errors.errors(Buffer.from('Name? '));
  vi.advanceTimersByTime(ERRORS_BEHIND_MS - 1);
  errors.output(4095);
  vi.advanceTimersByTime(ERRORS_BEHIND_MS - 1);
  expect(printed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(printed).toEqual(['Name? ']);
});

test('pieces of standard error keep their order and their bytes, although the memory they came in is used again', () => {
  const memory = Buffer.from('one');
  errors.errors(memory);
  memory.write('two');
  errors.errors(memory);
  vi.advanceTimersByTime(ERRORS_BEHIND_MS);
  expect(printed).toEqual(['one', 'two']);
});

test('a flood of output does not hold standard error back for longer than the system holds output', () => {
  errors.errors(Buffer.from('broken'));
  errors.output(ERRORS_BEHIND_BYTES - 7);
  expect(printed).toEqual([]);
  errors.output(1);
  expect(printed).toEqual(['broken']);
});

test('a terminal whose reading is paused prints its standard error after the output that waits', () => {
  errors.errors(Buffer.from('Name? '));
  errors.pause(true);
  vi.advanceTimersByTime(10 * ERRORS_BEHIND_MS);
  expect(printed).toEqual([]);
  errors.pause(false);
  errors.output(4095);
  vi.advanceTimersByTime(ERRORS_BEHIND_MS);
  expect(printed).toEqual(['Name? ']);
});
