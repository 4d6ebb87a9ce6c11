import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerParts, BACKGROUND, withoutBackground } from './background';

const { begin, end } = BACKGROUND;

describe('an answer with background knowledge', () => {
  test('an answer with background knowledge is read as its parts in their order, and an open passage goes to the end', () => {
    expect(answerParts('It is red.')).toEqual([{ from: 'documents', text: 'It is red.' }]);
    expect(answerParts(`One.\n${begin}\nTwo.\n${end}\nThree.\n${begin}Four.`)).toEqual([
      { from: 'documents', text: 'One.' },
      { from: 'background', text: 'Two.' },
      { from: 'documents', text: 'Three.' },
      { from: 'background', text: 'Four.' },
    ]);
    expect(answerParts(`One.\n${end}\nTwo.`)).toEqual([{ from: 'documents', text: 'One.\n\nTwo.' }]);
    expect(answerParts('')).toEqual([]);
  });

  test('an answer with background knowledge leaves nothing between the marks to be checked against the documents', () => {
    expect(withoutBackground(`Doc 0 says so.\n${begin}\nDoc 9 says "nothing at all".\n${end}`)).toBe(
      'Doc 0 says so.',
    );
    const piece = fc.constantFrom(begin, end, 'known', ' ');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const rest = withoutBackground(pieces.join(''));
        expect(rest).not.toContain(begin);
        expect(
          answerParts(pieces.join(''))
            .map(({ text }) => text)
            .join(''),
        ).not.toContain(end);
      }),
    );
  });
});
