import { expect, it } from 'vitest';
import { withHiddenSigns } from './hidden-signs';

it('shows what turns a text around or is not seen', () => {
  expect(withHiddenSigns('rm -rf \u202etxt.seton\u202c')).toBe('rm -rf ⟨U+202E⟩txt.seton⟨U+202C⟩');
  expect(withHiddenSigns('git push\u200b origin')).toBe('git push⟨U+200B⟩ origin');
  expect(withHiddenSigns('a\u2066b\u2069')).toBe('a⟨U+2066⟩b⟨U+2069⟩');
});

it('leaves all else as it is', () => {
  for (const text of ['$ npm test\n\tok', 'é ✓ 👩‍💻', 'שלום', 'سلام'])
    expect(withHiddenSigns(text)).toBe(text);
});
