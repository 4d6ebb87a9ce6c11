import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InteractiveSpec } from '../../../core/ports/programs/interactive';
import { Terminals } from '../../pty/terminals';
import { PtyClient } from '../client';
import { InteractiveTerminals } from './interactive-terminals';

let folder = '';
let host: Terminals;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-interactive-')));
  host = new Terminals(folder, new URL('./no-such-thread.js', import.meta.url), false);
});
afterEach(async () => {
  await host.close(0);
  rmSync(folder, { recursive: true, force: true });
});

function core() {
  const client = new PtyClient();
  let hear: ((raw: unknown) => void) | null = null;
  const line = host.connect({ post: (message) => void setImmediate(() => hear?.(message)) });
  client.connect({
    post: (message) => hear && line.message(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: () => undefined,
  });
  const terminals = new InteractiveTerminals({
    client,
    environment: async () => ({ PATH: process.env.PATH ?? '' }),
  });
  const kill = (): void => {
    hear = null;
    line.gone();
  };
  return { terminals, kill };
}

const spec = (script: string): InteractiveSpec => ({
  owner: 'run/s1',
  command: '/bin/bash',
  args: ['-c', script],
  cwd: folder,
  env: {},
  outputPath: join(folder, 's1-0.log'),
  folder: join(folder, 's1.agent'),
  files: [],
  inbox: 'told',
});

const listener = (told: string[] = []) => ({
  printed: () => undefined,
  notified: () => undefined,
  told: (text: string) => void told.push(text),
});
const output = (): string => readFileSync(join(folder, 's1-0.log'), 'utf8');
const printed = (text: string) => vi.waitFor(() => expect(output()).toContain(text), 30_000);

/** Opens it, and waits until it has printed this. */
async function left(script: string, until: string) {
  const first = core();
  const opened = await first.terminals.open(spec(script), listener());
  if (!opened.ok) throw new Error(opened.error.message);
  await printed(until);
  return { first, terminal: opened.value };
}

test("nothing of a terminal's past is answered or notified again, and what comes is", async () => {
  // Each answer ends with R, and is recorded.
  const ask = `ask() { printf '\\033[6n'; IFS= read -rs -d R a; echo "answered $1"; }`;
  const script = `stty -echo; ${ask}; ask 1; printf '\\033]9;old\\007'; read -rs -t 1 -n 1 more && echo "once more"; echo quiet; read -rs go; printf '\\033]9;new\\007'; ask 2; cat`;
  const { first } = await left(script, 'answered 1');
  first.kill();
  const kept = await core().terminals.find(spec(script));
  const notified: string[] = [];
  const heard = { ...listener(), notified: (text: string) => void notified.push(text) };
  await printed('quiet');
  const found = await kept?.take(heard, { told: null, printed: null });
  expect(output()).not.toContain('once more');
  found?.terminal.type('\r');
  await printed('answered 2');
  await vi.waitFor(() => expect(notified).toEqual(['new']), 30_000);
});

test('the screen of a surviving terminal is as it was, at its end and at an earlier place, however much it had printed', async () => {
  const flood = `for i in $(seq 1 3); do head -c 1000000 /dev/zero | tr '\\0' x; echo; done`;
  const script = `printf '\\033[?2004h'; echo early; ${flood}; echo before; read -r go; ${flood}; echo after; read -r go`;
  const { first, terminal } = await left(script, 'before');
  await vi.waitFor(() => expect(terminal.screen().lines.at(-1)).toBe('before'), 30_000);
  const { printed: at } = terminal.place();
  terminal.type('go\r');
  await printed('after');
  first.kill();
  const kept = await core().terminals.find(spec(script));
  const found = await kept?.take(listener(), { told: null, printed: at });
  expect(found?.before).toMatchObject({ pasteMode: true });
  expect(found?.before?.lines.at(-1)).toBe('before');
  // The terminal process reports the last bytes shortly after they are in the file.
  await vi.waitFor(() => expect(found?.terminal.screen().lines.at(-1)).toBe('after'), 30_000);
  expect(found?.terminal.screen().pasteMode).toBe(true);
});

test('the inbox of a surviving terminal is told from a place on, each line once; without one only what comes', async () => {
  const script = 'echo ready; read -r go';
  const { first, terminal } = await left(script, 'ready');
  const inbox = join(folder, 's1.agent', 'told');
  writeFileSync(inbox, '{"a":"ä"}\n{"b":1}\nhalf');
  await vi.waitFor(
    () => expect(terminal.place().told).toBe(Buffer.byteLength('{"a":"ä"}\n{"b":1}\n')),
    30_000,
  );
  await terminal.note('what stands beside it');
  first.kill();
  const second = core();
  const kept = await second.terminals.find(spec(script));
  expect(kept?.note).toBe('what stands beside it');
  const told: string[] = [];
  await kept?.take(listener(told), { told: Buffer.byteLength('{"a":"ä"}\n'), printed: null });
  appendFileSync(inbox, ' a line\n');
  await vi.waitFor(() => expect(told).toEqual(['{"b":1}', 'half a line']), 30_000);
  second.kill();
  const later: string[] = [];
  await (await core().terminals.find(spec(script)))?.take(listener(later), { told: null, printed: null });
  appendFileSync(inbox, 'new\n');
  await vi.waitFor(() => expect(later).toEqual(['new']), 30_000);
});

/** Resizes the terminal like an operator's pane. */
function pane(cols: number, rows: number): void {
  let say: (raw: unknown) => void = () => undefined;
  const onMessage = (listener: (raw: unknown) => void): void => {
    say = listener;
  };
  host.show(join(folder, 's1-0.log'), { post: () => undefined, onMessage, onClose: () => undefined });
  say({ kind: 'show', cols, rows });
}

const rowsOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `row ${from + index}`);

test("the picture for an operator's pane is read in the size of that pane, also by the next core", async () => {
  const draw = `draw() { printf '\\033[2J'; for at in $(seq $1 $2); do printf '\\033[%d;1Hrow %d' $((at - $1 + 1)) $at; done; }`;
  const script = `${draw}; echo begun; read -rs go; draw 1 30; read -rs go; draw 101 155; read -rs go; draw 201 220; cat`;
  const { first, terminal } = await left(script, 'begun');
  const shows = (lines: readonly string[]) =>
    vi.waitFor(() => expect(terminal.screen().lines).toEqual(expect.arrayContaining([...lines])), 30_000);
  terminal.type('\n');
  await shows(rowsOf(1, 30));
  expect(terminal.screen().cols).toBe(120);
  pane(160, 60);
  terminal.type('\n');
  await shows(rowsOf(101, 155));
  expect(terminal.screen().cols).toBe(160);
  const { printed: place } = terminal.place();
  pane(90, 25);
  terminal.type('\n');
  await shows(rowsOf(201, 220));
  expect(terminal.screen().cols).toBe(90);
  first.kill();

  const next = core();
  const { outputPath, folder: own, inbox } = spec('');
  const kept = await next.terminals.find({ outputPath, folder: own, inbox });
  const found = await kept?.take(listener(), { told: null, printed: place });
  expect(found?.before).toMatchObject({ cols: 160, lines: expect.arrayContaining(rowsOf(101, 155)) });
  expect(found?.terminal.screen()).toMatchObject({
    cols: 90,
    lines: expect.arrayContaining(rowsOf(201, 220)),
  });
  pane(100, 30);
  await vi.waitFor(() => expect(found?.terminal.screen().cols).toBe(100), 30_000);
});
