import { describe, expect, test } from 'vitest';
import { chordOf, keyCaps, matches, parseKeys, progress } from './keys';

const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('key descriptions', () => {
  test('chords and sequences are parsed', () => {
    expect(parseKeys('g i')).toEqual([
      { key: 'g', mod: false, alt: false, shift: false },
      { key: 'i', mod: false, alt: false, shift: false },
    ]);
    expect(parseKeys('mod+shift+C')).toEqual([{ key: 'c', mod: true, alt: false, shift: true }]);
    expect(parseKeys('Esc')).toEqual([{ key: 'escape', mod: false, alt: false, shift: false }]);
  });

  test('an invalid key is refused', () => {
    expect(parseKeys('')).toBeNull();
    expect(parseKeys('hyper+x')).toBeNull();
  });

  test('the modifier Mod is Cmd on a Mac and Ctrl elsewhere, and not the other one', () => {
    const [chord] = parseKeys('mod+k') ?? [];
    if (!chord) throw new Error('no chord');
    expect(matches(chord, press('k', { ctrlKey: true }), false)).toBe(true);
    expect(matches(chord, press('k', { ctrlKey: true }), true)).toBe(false);
    expect(matches(chord, press('k', { metaKey: true }), true)).toBe(true);
    expect(matches(chord, press('k', { metaKey: true, ctrlKey: true }), true)).toBe(false);
    expect(matches(chord, press('k'), false)).toBe(false);
  });

  test('the keys j and Shift+j are told apart, and a ? is one by any key', () => {
    const [j] = parseKeys('j') ?? [];
    const [question] = parseKeys('?') ?? [];
    if (!j || !question) throw new Error('no chord');
    expect(matches(j, press('J', { shiftKey: true }), false)).toBe(false);
    expect(matches(question, press('?', { shiftKey: true }), false)).toBe(true);
    expect(matches(question, press('?'), false)).toBe(true);
  });

  test('a sequence is followed press by press', () => {
    const keys = parseKeys('g i') ?? [];
    expect(progress(keys, [press('g')], false)).toBe('part');
    expect(progress(keys, [press('g'), press('i')], false)).toBe('whole');
    expect(progress(keys, [press('g'), press('x')], false)).toBe('none');
    expect(progress(keys, [press('g'), press('i'), press('i')], false)).toBe('none');
  });

  test('a press is written as it would be parsed', () => {
    expect(chordOf(press('X', { shiftKey: true }), false)).toBe('shift+x');
    expect(chordOf(press('?', { shiftKey: true }), false)).toBe('?');
    expect(chordOf(press('k', { metaKey: true }), true)).toBe('mod+k');
    expect(chordOf(press('Shift', { shiftKey: true }), false)).toBeNull();
  });

  test('keys have names for the screen', () => {
    expect(keyCaps('mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K']);
    expect(keyCaps('g i', false)).toEqual(['g', 'i']);
    expect(keyCaps('F6', false)).toEqual(['F6']);
    expect(keyCaps('alt+left', false)).toEqual(['Alt', '←']);
  });
});
