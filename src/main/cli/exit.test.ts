import { appError, errorCodeSchema } from '@contract/errors';
import { expect, test } from 'vitest';
import { EXIT, exitMeanings, exitOfError, exitOfRun } from './exit';

test('the exit codes are those that scripts were promised', () => {
  expect(EXIT).toEqual({
    ok: 0,
    failed: 1,
    usage: 2,
    invalid: 3,
    rejected: 4,
    cancelled: 5,
    waiting: 6,
    unavailable: 7,
    notice: 8,
    internal: 70,
    interrupted: 130,
  });
  expect(Object.keys(exitMeanings)).toEqual(Object.keys(EXIT));
});

test('every error has a code that is not 0', () => {
  for (const code of errorCodeSchema.options)
    expect([code, exitOfError(appError(code, ''))]).not.toEqual([code, 0]);
  expect(exitOfError(appError('store.newer', ''))).toBe(EXIT.unavailable);
  expect(exitOfError(appError('validation.cycle', ''))).toBe(EXIT.invalid);
  expect(exitOfError(appError('agent.crashed', ''))).toBe(EXIT.failed);
});

test('a run ends with the code of its outcome', () => {
  expect(exitOfRun).toMatchObject({ succeeded: 0, failed: 1, rejected: 4, cancelled: 5, waiting: 6 });
});
