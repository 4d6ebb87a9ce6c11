import { expect, test } from 'vitest';
import { inPlainSight } from './invisible-characters';

test('characters that turn the order of a text or hide in it are named', () => {
  expect(inPlainSight('rm \u202E txt.exe\u202C')).toBe('rm ⟨U+202E⟩ txt.exe⟨U+202C⟩');
  expect(inPlainSight('a\u2066b\u2069 \u200Bc\uFEFF')).toBe('a⟨U+2066⟩b⟨U+2069⟩ ⟨U+200B⟩c⟨U+FEFF⟩');
});

test('a text without such characters stays as it is, in any script', () => {
  const text = 'Größe עברית العربية می\u200Cخواهم 👩\u200D👩\u200D👦 ‎x';
  expect(inPlainSight(text)).toBe(text);
});
