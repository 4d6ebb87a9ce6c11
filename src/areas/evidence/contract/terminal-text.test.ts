import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalLines, terminalPlain } from './terminal-text';

const ESC = '\u001b';

test('colours and weights of printed text become runs', () => {
  expect(terminalLines(`${ESC}[31mred${ESC}[0m plain ${ESC}[1;32mgood${ESC}[22m!`)).toEqual([
    [
      { text: 'red', style: { colour: 'red' } },
      { text: ' plain ', style: null },
      { text: 'good', style: { colour: 'green', bold: true } },
      { text: '!', style: { colour: 'green' } },
    ],
  ]);
});

test('a style goes on over the end of the line until it is taken back', () => {
  const [first, second] = terminalLines(`${ESC}[36ma\nb${ESC}[39mc\n`);
  expect(first).toEqual([{ text: 'a', style: { colour: 'cyan' } }]);
  expect(second).toEqual([
    { text: 'b', style: { colour: 'cyan' } },
    { text: 'c', style: null },
  ]);
});

test('a filled badge keeps the colour of its ground, whatever colour its text has', () => {
  const [[badge] = []] = terminalLines(`${ESC}[30;41m FAIL ${ESC}[0m`);
  expect(badge).toEqual({ text: ' FAIL ', style: { colour: 'red', filled: true } });
});

test('any colour is shown as the nearest one that the theme has', () => {
  const colourOf = (code: string) => terminalLines(`${ESC}[${code}mx`)[0]?.[0]?.style?.colour;
  expect(colourOf('38;5;196')).toBe('red');
  expect(colourOf('38;5;240')).toBe('dim');
  expect(colourOf('38;2;20;200;40')).toBe('green');
  expect(colourOf('38;2;250;250;250')).toBeUndefined();
  expect(colourOf('92')).toBe('green');
});

test('a progress bar shows its last state', () => {
  expect(terminalPlain('10 %\r50 %\r100 %\r\ndone\r\n')).toBe('100 %\ndone');
  expect(terminalPlain(`building...\r${ESC}[2Kok`)).toBe('ok');
  expect(terminalPlain(`one\ntwo${ESC}[1A\r${ESC}[Kuno\n${ESC}[Kdos`)).toBe('uno\ndos');
  expect(terminalPlain('ab\bc')).toBe('ac');
});

test('titles, links and other sequences are left out; other controls are shown', () => {
  expect(terminalPlain(`${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}[?25lc${ESC}(B`)).toBe('abc');
  expect(terminalPlain('nul\u0000 del\u007f')).toBe('nul␀ del␡');
});

test('no text holds a sequence that a terminal obeys, and what has none stays as it is', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        `${ESC}[`,
        `${ESC}[31m`,
        '\r',
        '\b',
        '\n',
        `${ESC}[5A`,
        `${ESC}[J`,
        `${ESC}]`,
        '\u009b',
      ),
    ),
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
      expect(terminalPlain(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ -~]*$/)), (lines) => {
      expect(terminalPlain(`${lines.join('\n')}\n`)).toBe(lines.join('\n'));
    }),
  );
});

test('a text that writes over itself without end is read in bounded work', () => {
  const runs = Array.from({ length: 20_000 }, (_, index) => `${ESC}[3${(index % 6) + 1}mx`).join('');
  expect(terminalLines(runs + '\rab'.repeat(20_000)).flat().length).toBeGreaterThan(10_000);
});
