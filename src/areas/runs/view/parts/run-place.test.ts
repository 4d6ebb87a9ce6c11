import { expect, test } from 'vitest';
import { runPlaces } from './run-place';

const { pathOf, placeOf, hashAt } = runPlaces('question', ['iteration', 'gate']);
const at = { runId: 3, activationId: 1 };

test.each(['iteration/2', 'gate/7', null])('the address of %s is read back as it was written', (row) => {
  expect(placeOf(pathOf(at, row))).toEqual({ ...at, row });
});

test('an address without a step means the first one, and rows of other kinds are passed over', () => {
  expect(placeOf(['question', '3'])).toEqual({ runId: 3, activationId: null, row: null });
  expect(placeOf(['question', '3', '1', 'attempt', '2'])).toEqual({ ...at, row: null });
  expect(placeOf(['question', '3', '1', 'iteration', 'x'])).toEqual({ ...at, row: null });
});

test.each([['loop', '3'], ['question'], ['question', 'x'], ['question', '-1']])(
  'the path %s/%s is no place',
  (...path) => {
    expect(placeOf(path)).toBeNull();
  },
);

test('a hash holds the place and the query', () => {
  expect(hashAt(at, 'gate/7', { open: 'no' })).toBe('#/question/3/1/gate/7?open=no');
});
