import { expect, test } from 'vitest';
import { toSend, undecided } from './merge-choices';

const conflict = { path: 'a', base: null, ours: 'x', theirs: 'y' };
const kept = { a: { take: 'by_hand' as const, text: 'by hand' } };

test.each([
  [{ ...conflict, shown: 'whole' as const }, true],
  [{ ...conflict, shown: 'cut' as const }, false],
  [{ ...conflict, shown: 'binary' as const }, false],
  [conflict, true],
  [{ ...conflict, theirs: '(binary)' }, false],
  [{ ...conflict, base: 'x\n… larger than can be shown' }, false],
])('the conflict %j can be resolved by hand: %s', (one, may) => {
  expect(undecided([one], kept)).toEqual(may ? [] : ['a']);
  expect(toSend([one], kept)).toEqual(may ? kept : {});
});
