import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptText, sameText, typed } from './typing';

const rules = { pasteMode: true, newline: null, mostPasted: null };

/** Control characters are keys, except tab and line end. */
function isKey(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return (code < 0x20 && char !== '\t' && char !== '\n') || (code >= 0x7f && code <= 0x9f);
}

/**
 * The text that a program with bracketed paste gets from these keys, or null if something in them would
 * submit.
 */
function taken(keys: string): string | null {
  const parts = keys.replaceAll('\x1b[201~', '\x1b[200~').split('\x1b[200~');
  const outside = parts.filter((_, at) => at % 2 === 0).join('');
  return outside === '' ? parts.join('').replaceAll('\r', '\n') : null;
}

test('any text arrives as one prompt, and nothing in it is a key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(null, 1, 7), (text, mostPasted) => {
      const { keys, joined } = typed(text, { ...rules, mostPasted });
      const arrived = taken(keys);
      expect(joined).toBe(false);
      const plain = [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')]
        .filter((char) => !isKey(char))
        .join('');
      expect(arrived).toBe(plain.trimEnd());
    }),
  );
});

test('an end of a paste in the text does not end the paste', () => {
  expect(taken(typed('a\x1b[201~\rrm -rf', rules).keys)).toBe('a[201~\nrm -rf');
});

test('without paste mode lines become one, or keep what the program takes for a line end', () => {
  const plain = { ...rules, pasteMode: false };
  expect(typed('a\n\n  b\n', plain)).toEqual({ keys: 'a b', joined: true });
  expect(typed('one', plain)).toEqual({ keys: 'one', joined: false });
  expect(typed('a\nb', { ...plain, newline: '\\\r' })).toEqual({ keys: 'a\\\rb', joined: false });
});

test('a long line is pasted in pieces that cut no character', () => {
  const { keys } = typed('😀😀😀\nx', { ...rules, mostPasted: 2 });
  expect(keys.split('\x1b[201~')).toEqual(['\x1b[200~😀😀', '\x1b[200~😀', '\x1b[200~\rx', '']);
});

test('attachments are named by their paths', () => {
  const attachments = [{ path: '/a/b.png', name: 'b.png', mime: 'image/png', bytes: 1 }];
  expect(promptText('Look', [])).toBe('Look');
  expect(promptText('Look', attachments)).toBe('Look\n\nAttached files, to be read from disk:\n- /a/b.png');
  expect(sameText('a\r\n b', 'a b')).toBe(true);
});
