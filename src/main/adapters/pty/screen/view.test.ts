import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesPath } from '@areas/terminals/contract/files';
import { type FromTerminal, HOLD_BACK_BYTES, type ToTerminal } from '@areas/terminals/contract/view';
import { Terminal as Screen } from '@xterm/headless';
import { afterAll, expect, test } from 'vitest';
import { Terminal } from '../terminal';
import { draw } from './draw';
import { TerminalView } from './view';

const folder = mkdtempSync(join(tmpdir(), 'muster-view-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
async function open(script: string, path?: string): Promise<{ terminal: Terminal; outputPath: string }> {
  count += 1;
  const outputPath = path ?? join(folder, `${count}.log`);
  const spec = {
    file: '/bin/bash',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    cols: 80,
    rows: 24,
    outputPath,
    hold: true,
    keep: false,
  };
  const opened = await Terminal.open({ spec, mark: `MUSTER_TEST=${count}`, onPrinted: () => undefined });
  if (!opened.ok) throw new Error(opened.error.message);
  return { terminal: opened.value, outputPath };
}

/** A screen that draws nothing, and acknowledges only when told to. */
class Watcher {
  readonly heard: FromTerminal[] = [];
  unacked = 0;
  most = 0;
  acks = true;
  #say: (raw: unknown) => void = () => undefined;
  #close: () => void = () => undefined;

  readonly view: TerminalView;

  constructor(outputPath: string, terminal: Terminal | null, take = draw) {
    this.view = new TerminalView({
      outputPath,
      terminal,
      snapshots: { take },
      port: {
        post: (message) => this.#hear(message),
        onMessage: (listener) => {
          this.#say = listener;
        },
        onClose: (listener) => {
          this.#close = listener;
        },
      },
    });
    this.say({ kind: 'show', cols: 80, rows: 24 });
  }

  say(message: ToTerminal): void {
    this.#say(message);
  }

  close(): void {
    this.#close();
  }

  ack(): void {
    const bytes = this.unacked;
    this.unacked = 0;
    this.say({ kind: 'ack', bytes });
  }

  /** Snapshot and bytes as they would be drawn; fails if they do not join. */
  async drawn(): Promise<string> {
    const screen = new Screen({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true });
    let offset = 0;
    for (const message of this.heard) {
      if (message.kind === 'snapshot') offset = message.offset;
      if (message.kind === 'bytes') {
        expect(message.offset).toBe(offset);
        offset += message.data.length;
      }
      for (const data of drawnBy(message)) await new Promise<void>((done) => screen.write(data, done));
    }
    const { active } = screen.buffer;
    const lines = Array.from({ length: active.length }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    );
    return lines.join('\n').trimEnd();
  }

  #hear(message: FromTerminal): void {
    this.heard.push(message);
    if (message.kind !== 'bytes') return;
    this.unacked += message.data.length;
    this.most = Math.max(this.most, this.unacked);
    if (this.acks) setImmediate(() => this.ack());
  }
}

function drawnBy(message: FromTerminal): (string | Uint8Array)[] {
  if (message.kind === 'past') return [message.text, message.data];
  if (message.kind === 'snapshot') return [message.text];
  return message.kind === 'bytes' ? [message.data] : [];
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Its terminal has ended. */
const isOver = ({ heard }: Watcher) => {
  const last = heard.at(-1);
  return last?.kind === 'ended' || (last?.kind === 'snapshot' && !last.live);
};

test('screens that come and go at any time each see all output, once', async () => {
  const { terminal, outputPath } = await open('for i in $(seq 1 4000); do echo line $i; done');
  const watchers: Watcher[] = [];
  let over = false;
  void terminal.done.then(() => {
    over = true;
  });
  while (!over) {
    watchers.push(new Watcher(outputPath, terminal));
    await pause(15);
  }
  watchers.push(new Watcher(outputPath, null));
  await expect.poll(() => watchers.every(isOver)).toBe(true);
  for (const watcher of watchers) expect(await watcher.drawn()).toBe(lines(1, 4000));
  expect(watchers.at(-1)?.heard.at(-1)).toMatchObject({ kind: 'snapshot', live: false });
});

test('a screen that does not keep up holds the program, and nothing is lost when it does', async () => {
  const { terminal, outputPath } = await open(`yes "$(printf %0100d 7)" | head -n 60000; echo the end`);
  const slow = new Watcher(outputPath, terminal);
  slow.acks = false;
  let held = 0;
  const grows = () => {
    const before = held;
    held = slow.unacked;
    return held > before || held <= HOLD_BACK_BYTES;
  };
  await expect.poll(grows, { interval: 200 }).toBe(false);
  expect(held).toBeLessThan(1024 * 1024);
  slow.acks = true;
  slow.ack();
  await terminal.done;
  await expect.poll(() => isOver(slow)).toBe(true);
  expect(slow.most).toBeLessThan(1024 * 1024);
  const bytes = slow.heard.reduce((sum, one) => sum + (one.kind === 'bytes' ? one.data.length : 0), 0);
  expect(bytes).toBe(readFileSync(outputPath).length);
  expect(readFileSync(outputPath, 'utf8')).toMatch(/the end\r\n$/);
});

test('a screen that is gone holds no one', async () => {
  const { terminal, outputPath } = await open('yes | head -n 1000000; echo the end');
  const slow = new Watcher(outputPath, terminal);
  slow.acks = false;
  await expect.poll(() => slow.unacked).toBeGreaterThan(HOLD_BACK_BYTES);
  slow.close();
  expect((await terminal.done).exitCode).toBe(0);
  expect(readFileSync(outputPath, 'utf8')).toMatch(/the end\r\n$/);
});

test('input of the operator reaches the program and is kept as theirs, sizes too', async () => {
  const { terminal, outputPath } = await open('read name; echo "got $name"; stty size');
  const watcher = new Watcher(outputPath, terminal);
  await expect.poll(() => watcher.heard.length).toBeGreaterThan(0);
  watcher.say({ kind: 'resize', cols: 100, rows: 40 });
  watcher.say({ kind: 'input', data: 'Ada\r' });
  await terminal.done;
  const text = readFileSync(outputPath, 'utf8');
  expect(text).toContain('got Ada\r\n40 100\r\n');
  const notes = readFileSync(notesPath(outputPath), 'utf8').trim().split('\n');
  expect(notes.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'begun', cwd: folder, offset: 0 },
    { kind: 'size', cols: 80, rows: 24, offset: 0 },
    { kind: 'size', cols: 100, rows: 40 },
    { kind: 'input', by: 'operator', data: 'Ada\r' },
  ]);
});

test('modes come back with the snapshot, the alternate screen too', async () => {
  const { terminal, outputPath } = await open(`printf '\\033[?2004h\\033[?1h\\033[?1049hfull'; read rest`);
  await expect.poll(() => readFileSync(outputPath, 'utf8')).toContain('full');
  const watcher = new Watcher(outputPath, terminal);
  await expect.poll(() => watcher.heard.length).toBeGreaterThan(1);
  const [past, snapshot] = watcher.heard;
  if (past?.kind !== 'past' || snapshot?.kind !== 'snapshot') throw new Error('no snapshot');
  expect(past.text).toBe('\x1b[?1h\x1b[?2004h');
  const screen = new Screen({ cols: 80, rows: 24, allowProposedApi: true });
  for (const data of [past.text, past.data, snapshot.text])
    await new Promise<void>((done) => screen.write(data, done));
  expect(screen.buffer.active.type).toBe('alternate');
  expect(screen.modes).toMatchObject({ bracketedPasteMode: true, applicationCursorKeysMode: true });
  await terminal.kill(0);
});

test('the next program in the same file goes on on the same screen', async () => {
  const { terminal, outputPath } = await open('echo line 1; exit 3');
  const watcher = new Watcher(outputPath, terminal);
  await expect.poll(() => watcher.heard.at(-1)).toMatchObject({ kind: 'ended', exitCode: 3 });
  const next = await open('read x; echo line 2; exit 4', outputPath);
  watcher.view.adopt(next.terminal);
  await expect.poll(() => watcher.heard.at(-1)).toEqual({ kind: 'live' });
  watcher.say({ kind: 'input', data: '\r' });
  await expect.poll(() => watcher.heard.at(-1)).toMatchObject({ kind: 'ended', exitCode: 4 });
  expect((await watcher.drawn()).replaceAll(/\n+/g, '\n')).toBe('line 1\nline 2');
});

test('a snapshot says where commands begin', async () => {
  const { terminal, outputPath } = await open(
    `m='\\033]133;A\\007'; printf "\\033[5nfull $m\\r\\$ a\\nx\\ny\\n\\033]133;D;3\\007$m\\$ b\\nz\\n"`,
  );
  await terminal.done;
  const end = readFileSync(outputPath).length;
  expect(await draw({ outputPath, end, cols: 80, rows: 24 }, () => undefined)).toMatchObject({
    commands: [
      { above: 5, exit: 3 },
      { above: 2, exit: null },
    ],
  });
});

test('where the past cannot be drawn, its end is shown as it is', async () => {
  const { terminal, outputPath } = await open('echo something');
  await terminal.done;
  const watcher = new Watcher(outputPath, null, () => Promise.reject(new Error('no thread')));
  await expect
    .poll(() => watcher.heard.at(-1))
    .toMatchObject({ kind: 'snapshot', text: 'something\r\n', live: false });
});
