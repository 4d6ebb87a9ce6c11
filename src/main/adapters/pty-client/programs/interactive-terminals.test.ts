import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { activityOf } from './activity';
import { Inbox } from './inbox';
import { HeadlessScreen } from './screen';

function screen() {
  const heard = { answers: '', notices: [] as string[] };
  const made = new HeadlessScreen(
    { cols: 10, rows: 4 },
    {
      answer: (data) => {
        heard.answers += data;
      },
      drawn: () => undefined,
      notified: (text) => heard.notices.push(text),
    },
  );
  onTestFinished(() => made.dispose());
  return { made, heard };
}

test('a screen is read with what has scrolled away, and wrapped lines count as one', async () => {
  const { made } = screen();
  made.write('one two three\r\n\x1b[31mred\x1b[0m\r\n4\r\n5\r\n6\r\n\r\n');
  await made.settled();
  expect(made.read()).toEqual({ lines: ['one two three', 'red', '4', '5', '6'], cols: 10, pasteMode: false });
});

test('a terminal knows the paste mode, answers a program that asks, and hears its notifications', async () => {
  const { made, heard } = screen();
  made.write(
    '\x1b[?2004hab\x1b[6n\x1b]9;Approval requested: rm\x07\x1b]9;4;1;50\x07\x1b]777;notify;Title;Body\x07',
  );
  await made.settled();
  expect(made.read().pasteMode).toBe(true);
  expect(heard).toEqual({ answers: '\x1b[1;3R', notices: ['Approval requested: rm', 'Title;Body'] });
});

test('a flood is passed over, but not the modes in it, and what comes after it is read', async () => {
  const { made } = screen();
  const flood = 'x\r\n'.repeat(400_000);
  made.write(flood);
  made.write(`${flood}\x1b[?2004h${flood}`);
  await made.settled();
  made.write('after');
  await made.settled();
  expect(made.read()).toMatchObject({ pasteMode: true });
  expect(made.read().lines.at(-1)).toBe('after');
});

test('an inbox tells whole lines, once each, however they are written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-inbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'signals.jsonl');
  writeFileSync(path, '');
  const lines: string[] = [];
  const inbox = new Inbox(path, (line) => lines.push(line));
  onTestFinished(() => inbox.close());
  appendFileSync(path, '{"a":1}\n{"b"');
  await vi.waitFor(() => expect(lines).toEqual(['{"a":1}']), 30_000);
  appendFileSync(path, ':"é"}\n\n');
  await vi.waitFor(() => expect(lines).toEqual(['{"a":1}', '{"b":"é"}']), 30_000);
});

test.skipIf(process.platform === 'win32')(
  'processes below a given one are found, and whether they work',
  async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 100 & while :; do :; done'], {
      detached: true,
      stdio: 'ignore',
    });
    const pid = child.pid ?? 0;
    onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
    await vi.waitFor(async () => expect(await activityOf(pid)).toMatchObject({ children: 1 }), 30_000);
    const before = (await activityOf(pid))?.cpuMs ?? 0;
    await vi.waitFor(async () => expect((await activityOf(pid))?.cpuMs).toBeGreaterThan(before), 30_000);
    expect(await activityOf(2 ** 22 - 1)).toBeNull();
  },
);
