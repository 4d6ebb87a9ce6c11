import { expect, test } from 'vitest';
import { afterEnd, type End, noEnds } from './repeated-crashes';

const MINUTE = 60_000;
const ended = (minute: number, livedMs: number, why = 'exited with code 9'): End => ({
  at: minute * MINUTE,
  livedMs,
  why,
});
const after = (...ends: End[]) => ends.reduce(afterEnd, noEnds).unsteady;

test('the third end within 10 minutes is reported, and each further one is counted', () => {
  expect(after(ended(1, 11_000), ended(3, 11_000))).toBeNull();
  const three = [ended(1, 11_000), ended(3, 11_000), ended(10.9, 400_000)];
  expect(after(...three)).toEqual({ times: 3, since: MINUTE, last: 'exited with code 9' });
  expect(after(...three, ended(18, 5, 'killed'))).toEqual({ times: 4, since: MINUTE, last: 'killed' });
});

test('ends that lie far apart do not count as repeated', () => {
  expect(after(...[0, 5, 10, 15, 20, 25].map((minute) => ended(minute, 300_000)))).toBeNull();
});

test('quick ends in a row wait for their own end, and count once a longer life came between', () => {
  const quick = [1, 1.1, 1.2, 1.3].map((minute) => ended(minute, 5000));
  expect(after(...quick)).toBeNull();
  expect(after(...quick, ended(2, 20_000))).toEqual({ times: 5, since: MINUTE, last: 'exited with code 9' });
});
