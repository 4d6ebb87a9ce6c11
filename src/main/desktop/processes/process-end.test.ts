import { expect, test } from 'vitest';
import { crashWords, processEnd } from './process-end';

test('a process that a signal ended is said to have crashed, any other one to have ended with its code', () => {
  const told = (code: number, lastWords = '', platform: NodeJS.Platform = 'linux') =>
    processEnd({ code, lastWords, platform });
  expect(told(9)).toBe('It crashed (signal 9).');
  expect(told(11, 'out of memory')).toBe('It crashed (signal 11): out of memory');
  expect(told(1, 'no disk')).toBe('It ended with code 1: no disk');
  expect(told(137)).toBe('It ended with code 137.');
  expect(told(9, '', 'win32')).toBe('It ended with code 9.');
});

test('the operator is told how a process crashed, and not what it printed', () => {
  expect(crashWords('Core', 'It crashed (signal 11): /home/ada')).toBe(
    'Core crashed (signal 11). Your runs are safe on disk.',
  );
  expect(crashWords('Core', 'It ended with code 1.')).toBe(
    'Core ended with code 1. Your runs are safe on disk.',
  );
  expect(crashWords('Core', 'could not be started')).toBe(
    'Core ended unexpectedly. Your runs are safe on disk.',
  );
});
