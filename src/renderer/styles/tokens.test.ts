import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [normal = '', contrast = ''] = css.split('@media (prefers-contrast: more)');

type Colour = readonly [lightness: number, chroma: number, hue: number];

function read(text: string, side: 0 | 1): Map<string, Colour> {
  const found = new Map<string, Colour>();
  for (const [, name = '', value = ''] of text.matchAll(/--([\w-]+):\s*(.+?);/g)) {
    const colours = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
    const colour = colours[side] ?? colours[0];
    if (colour) found.set(name, [Number(colour[1]), Number(colour[2]), Number(colour[3])]);
  }
  return found;
}

/** Relative luminance of an OKLCH colour in sRGB, as WCAG defines it. */
function luminance([lightness, chroma, hue]: Colour): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const ratio = (one: Colour, other: Colour): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const GROUNDS = ['frame', 'surface', 'column', 'well', 'raised', 'hover'];
const SELECTED = ['accent-wash'];
const pairs: [string, readonly string[]][] = [
  [
    'text',
    [
      'found',
      ...GROUNDS,
      ...SELECTED,
      'pressed',
      'waits-wash',
      'failed-wash',
      'done-wash',
      'done-mark',
      'failed-mark',
    ],
  ],
  ['text-2', [...GROUNDS, ...SELECTED, 'pressed', 'waits-wash', 'failed-wash']],
  ['text-3', [...GROUNDS, ...SELECTED, 'done-wash', 'failed-wash', 'done-mark', 'failed-mark']],
  ['accent', [...GROUNDS, ...SELECTED]],
  ['running', [...GROUNDS, ...SELECTED, 'running-wash']],
  ['waits', [...GROUNDS, ...SELECTED, 'waits-wash']],
  ['failed', [...GROUNDS, ...SELECTED, 'failed-wash']],
  ['done', [...GROUNDS, ...SELECTED, 'done-wash']],
  ['on-fill', ['accent-fill', 'accent-fill-hover', 'failed-fill', 'failed-fill-hover']],
  ['code-keyword', ['well', 'surface', ...SELECTED, 'done-wash', 'failed-wash', 'done-mark', 'failed-mark']],
  ['code-string', ['well', 'surface', ...SELECTED, 'done-wash', 'failed-wash', 'done-mark', 'failed-mark']],
  ['code-number', ['well', 'surface', ...SELECTED, 'done-wash', 'failed-wash', 'done-mark', 'failed-mark']],
  ['code-title', ['well', 'surface', ...SELECTED, 'done-wash', 'failed-wash', 'done-mark', 'failed-mark']],
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s theme', (_, side) => {
  const base = read(normal, side);
  const high = new Map([...base, ...read(contrast, side)]);
  test.each(pairs)('the colour %s can be read on every ground', (name, grounds) => {
    const colour = base.get(name);
    for (const ground of grounds) {
      const under = base.get(ground);
      if (!colour || !under) throw new Error(`no token ${name} or ${ground}`);
      expect(ratio(colour, under), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });
  test('the edges of controls can be seen', () => {
    const [line, ground] = [base.get('line-strong'), base.get('surface')];
    if (!line || !ground) throw new Error('no tokens');
    expect(ratio(line, ground)).toBeGreaterThanOrEqual(3);
  });
  test.each(['text', 'text-2', 'text-3', 'accent', 'running', 'waits', 'failed', 'done'])(
    'the colour %s has seven to one where more contrast is requested',
    (name) => {
      for (const ground of ['frame', 'surface', 'well']) {
        const [colour, under] = [high.get(name), high.get(ground)];
        if (!colour || !under) throw new Error(`no token ${name} or ${ground}`);
        expect(ratio(colour, under), `${name} on ${ground}`).toBeGreaterThanOrEqual(7);
      }
    },
  );
});
