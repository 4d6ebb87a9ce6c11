/**
 * `terminals-shown.js flood ours|free FOLDER SECONDS`: a coloured flood on one screen, then the key that interrupts.
 * `terminals-shown.js parser FOLDER`: what the parser alone does with the same text.
 * `terminals-shown.js echo FOLDER KEYS`: how long a typed key takes to come back, idle, with 20 floods, idle again.
 * `terminals-shown.js reattach FOLDER TIMES`: showing 10 MB of the past, and only parsing them, in turn.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countProcessorTime } from '../kit/processor';
import { say } from '../kit/say';
import { BenchScreen, BenchTerminals } from '../kit/terminals';

const [what, ...rest] = process.argv.slice(2);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Short coloured lines: a program prints them faster than any parser draws them. */
const COLOURED = `$(printf '\\033[31my \\033[32m7\\033[0m')`;
const colouredLine = '\x1b[31my \x1b[32m7\x1b[0m\r\n';

async function flood([side, folder = '', seconds]: string[]) {
  const terminals = new BenchTerminals(folder);
  const path = await terminals.open(`yes "${COLOURED}"`);
  const screen = terminals.show(path, side === 'free');
  await wait(Number(seconds) * 1000);
  const found = await screen.ask({ kind: 'interrupt' });
  await screen.close();
  await terminals.close();
  return found;
}

async function parser() {
  const screen = new BenchScreen();
  const data = Buffer.from(colouredLine.repeat(Math.ceil(60_000_000 / colouredLine.length)));
  await screen.ask({ kind: 'parse', data: data.subarray(0, 5_000_000), pieceBytes: 65_536 });
  const ms = await screen.ask<number>({ kind: 'parse', data, pieceBytes: 65_536 });
  return { bytes: data.length, ms };
}

async function echo([folder = '', keys]: string[]) {
  const used = countProcessorTime(process.pid);
  const started = performance.now();
  const terminals = new BenchTerminals(folder);
  const typed = await terminals.open('exec cat');
  const screen = terminals.show(typed);
  await screen.heard('restored');
  const measure = () => screen.ask<number[]>({ kind: 'keys', count: Number(keys), everyMs: 30 });
  await measure();
  const before = await measure();
  for (let number = 0; number < 20; number += 1)
    await terminals.open('exec yes "flood flood flood flood"', { hold: true });
  await wait(500);
  const loaded = await measure();
  await screen.close();
  await terminals.close();
  const again = new BenchTerminals(folder);
  const second = again.show(await again.open('exec cat'));
  await second.heard('restored');
  await second.ask({ kind: 'keys', count: 20, everyMs: 30 });
  const after = await second.ask<number[]>({ kind: 'keys', count: Number(keys), everyMs: 30 });
  await second.close();
  await again.close();
  return { before, loaded, after, ms: performance.now() - started, ...used() };
}

async function reattach([parent = '', times]: string[]) {
  const folder = mkdtempSync(join(parent, 'past-'));
  const terminals = new BenchTerminals(parent);
  const kinds = { lines: textOfLines(), coloured: textOfColours(), redrawn: textOfRedraws() };
  const found: Record<string, { ours: number[]; bare: number[] }> = {};
  // The drawing thread exists once a terminal was opened.
  await terminals.open('exec cat');
  for (const [kind, text] of Object.entries(kinds)) {
    const path = join(folder, `${kind}.log`);
    const data = Buffer.from(text);
    writeFileSync(path, data);
    const measured = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= Number(times); round += 1) {
      const screen = terminals.show(path);
      const { ms } = await screen.heard<{ ms: number }>('restored');
      await screen.close();
      const bare = new BenchScreen();
      // A thread that has just started, like the other.
      const parsed = await bare.ask<number>({ kind: 'parse', data, pieceBytes: 1_048_576 });
      await bare.close();
      if (round > 0) measured.ours.push(ms);
      if (round > 0) measured.bare.push(parsed);
    }
    found[kind] = measured;
  }
  await terminals.close();
  rmSync(folder, { recursive: true, force: true });
  return found;
}

const TEN_MB = 10_000_000;
const repeated = (line: (number: number) => string): string => {
  let text = '';
  for (let number = 0; text.length < TEN_MB; number += 1) text += line(number);
  return text;
};
const textOfLines = () =>
  repeated((n) => `${n} ${'the quick brown fox jumps over the lazy dog, '.repeat(2)}\r\n`);
const textOfColours = () =>
  repeated(
    (n) =>
      `\x1b[32mok\x1b[0m ${n} \x1b[1;33m${'passed'.padEnd(20)}\x1b[0m ${'a test of something'.repeat(3)}\r\n`,
  );
/** As a program with a status line below its output. */
const textOfRedraws = () =>
  repeated(
    (n) =>
      `\r\x1b[2K${n} ${'built a file of the project, '.repeat(3)}\r\n\x1b[36m[${n}]\x1b[0m working\x1b[1A\x1b[1B`,
  );

const sides = { flood, parser, echo, reattach };
say(await sides[what as keyof typeof sides](rest));
process.exit();
