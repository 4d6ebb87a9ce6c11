import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesPath } from '@areas/terminals/contract/files';
import { SCROLLBACK_LINES } from '@areas/terminals/contract/view';
import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { draw } from './draw';
import type { PastPart } from './snapshot';

const folder = mkdtempSync(join(tmpdir(), 'muster-past-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const size = { cols: 40, rows: 8 };

async function screenOf(pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const screen = new Terminal({ ...size, scrollback: SCROLLBACK_LINES, allowProposedApi: true });
  for (const piece of pieces) await new Promise<void>((drawn) => screen.write(piece, drawn));
  const { active } = screen.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    const colours = Array.from({ length: size.cols }, (_, x) => line?.getCell(x)?.getFgColor());
    return `${line?.translateToString(true)} ${line?.translateToString(true) === '' ? '' : colours.join()}`;
  });
  return [...rows, `${active.cursorX},${active.cursorY + active.baseY}`, JSON.stringify(screen.modes)];
}

let count = 0;
async function restored(text: string, sizes: readonly Record<string, number>[] = []) {
  count += 1;
  const outputPath = join(folder, `${count}.log`);
  writeFileSync(outputPath, text);
  const notes = sizes.map((one) => JSON.stringify({ kind: 'size', at: 0, ...one }));
  writeFileSync(notesPath(outputPath), `${notes.join('\n')}\n`);
  const parts: PastPart[] = [];
  const snapshot = await draw({ outputPath, end: Buffer.byteLength(text), ...size }, (part) =>
    parts.push(part),
  );
  return { parts, snapshot, pieces: [...parts.flatMap(({ text, data }) => [text, data]), snapshot.text] };
}

const piece = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('a line of text\r\n', 'zwölf €\r\n', `${'long '.repeat(20)}\r\n`, '\r\n'),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('\x1b[31m', '\x1b[1;38;5;99m', '\x1b[0m', '\x1b[m', 'word ', '\t', '\x1b[K'),
  },
  { weight: 2, arbitrary: fc.constantFrom('\x1b[?2004h', '\x1b[?2004l', '\x1b[?1h', '\x1b]0;title\x07') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\x1b[2A', '\x1b[1B', '\x1b[3;5H', '\x1b[2K', '\x1b[6n', '\rover'),
  },
);

test('a redrawn screen shows what it showed before, of plain lines and of others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 120 }), async (all) => {
      const text = all.join('');
      const { pieces } = await restored(text);
      expect(await screenOf(pieces)).toEqual(await screenOf([text]));
    }),
    { numRuns: 60 },
  );
});

const redrawn = '\r\x1b[2K[1/9] building\x1b[1A\x1b[1B\r\nbuilt a file\r\n'.repeat(30);

test('A line that is redrawn is drawn by the screen itself where the size was always the same.', async () => {
  for (const sizes of [
    [],
    [{ offset: 0, ...size }],
    [
      { offset: 0, cols: 80, rows: 24 },
      { offset: 0, ...size },
    ],
  ]) {
    const { pieces, snapshot } = await restored(redrawn, sizes);
    expect(snapshot.text).toBe('');
    expect(await screenOf(pieces)).toEqual(await screenOf([redrawn]));
  }
});

test('A line that is redrawn is played unseen where the size changed, or where the terminal would answer.', async () => {
  const narrower = { offset: 100, cols: 30, rows: 8 };
  expect((await restored(redrawn, [{ offset: 0, ...size }, narrower])).snapshot.text).not.toBe('');
  expect((await restored(redrawn, [{ offset: 0, cols: 30, rows: 8 }])).snapshot.text).not.toBe('');
  for (const question of ['\x1b[6n', '\x1b[c', '\x1b[?1049h', '\x05', '\x1b[18t']) {
    const { parts, snapshot } = await restored(redrawn + question);
    expect(snapshot.text).not.toBe('');
    expect(parts.map(({ data }) => Buffer.from(data).toString()).join('')).not.toContain(question);
  }
});

test('plain lines are handed on as they are, and what a terminal would answer never is', async () => {
  const plain = 'one\r\n\x1b[32mtwo\x1b[0m\r\n'.repeat(50);
  expect((await restored(plain)).snapshot.text).toBe('');
  const { parts, snapshot } = await restored(`${plain}\x1b[6n\x1b[c\x1b]11;?\x07end`);
  const handedOn = parts.map(({ data }) => Buffer.from(data).toString()).join('');
  expect(handedOn).not.toMatch(/\[6n|\[c|\]11/);
  expect(snapshot.text).not.toMatch(/\[6n|\[c|\]11/);
  expect(plain.startsWith(handedOn)).toBe(true);
});

test('of more lines than a screen keeps, only those are drawn, in their colours', async () => {
  const line = 'x\r\n';
  const text = `\x1b[35m${line.repeat(SCROLLBACK_LINES * 2)}`;
  const { parts, snapshot } = await restored(text);
  expect(snapshot.from).toBeGreaterThan(0);
  expect(parts[0]?.text).toBe('\x1b[35m');
  const drawn = parts.reduce((sum, { data }) => sum + data.length, 0) / line.length;
  expect(drawn).toBeGreaterThanOrEqual(SCROLLBACK_LINES);
  expect(drawn).toBeLessThan(SCROLLBACK_LINES + 20);
});
