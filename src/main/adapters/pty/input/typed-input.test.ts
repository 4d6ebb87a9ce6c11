import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesPath } from '@areas/terminals/contract/files';
import { type TerminalNote, terminalNoteSchema } from '@areas/terminals/contract/view';
import { afterAll, expect, test, vi } from 'vitest';
import { Terminal } from '../terminal';
import { Typed } from './typed-input';

const folder = mkdtempSync(join(tmpdir(), 'muster-typed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
async function open(
  script: string,
): Promise<{ terminal: Terminal; printed: () => string; inputs: () => TerminalNote[] }> {
  count += 1;
  const outputPath = join(folder, `${count}.log`);
  const spec = {
    file: '/bin/bash',
    args: ['--norc', '--noprofile', ...script.split(' ')],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PS1: 'shell> ', HISTFILE: '/dev/null' },
    cols: 80,
    rows: 24,
    outputPath,
    hold: false,
    keep: false,
  };
  if (script.startsWith('-c ')) spec.args = ['-c', script.slice(3)];
  const opened = await Terminal.open({ spec, mark: `MUSTER_TEST=typed${count}`, onPrinted: () => undefined });
  if (!opened.ok) throw new Error(opened.error.message);
  const inputs = () =>
    readFileSync(notesPath(outputPath), 'utf8')
      .trim()
      .split('\n')
      .map((line) => terminalNoteSchema.parse(JSON.parse(line)))
      .filter((note) => note.kind === 'input');
  return { terminal: opened.value, printed: () => readFileSync(outputPath, 'utf8'), inputs };
}

const texts = (notes: readonly TerminalNote[]): (string | null)[] =>
  notes.flatMap((note) => (note.kind === 'input' ? [note.hidden ? null : note.data] : []));

test('a typed line that the terminal shows is kept, a password is not, also where the program prints it', async () => {
  // Bash prints the prompt of `read -s` a moment before it hides input, so nothing is typed in between.
  const { terminal, printed, inputs } = await open(
    '-c read -p "Name? " name; stty -echo; read -p "Password? " secret; stty echo; echo; echo "got $name and $secret"',
  );
  await expect.poll(printed).toContain('Name? ');
  terminal.type('Ada\r');
  await expect.poll(printed).toContain('Password? ');
  terminal.type('swordfish\r');
  await terminal.done;
  expect(printed()).toContain('got Ada and swordfish');
  expect(texts(inputs())).toEqual(['Ada\r', null]);
  expect(JSON.stringify(inputs())).not.toContain('swordfish');
});

test('a terminal is asked before its first key, also in a process that has only just begun', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(5);
  const notes: TerminalNote[] = [];
  const sent: string[] = [];
  const typed = new Typed({
    send: (data) => sent.push(data),
    note: (note) => notes.push(note),
    offset: () => 0,
    echo: async () => 'secret',
  });
  for (const line of ['one\r', 'two\r']) {
    typed.type(line);
    await vi.waitFor(() => expect(sent).toContain(line), 30_000);
    typed.printed(Buffer.from(line));
  }
  typed.settle();
  expect(texts(notes)).toEqual([null, null]);
  vi.restoreAllMocks();
});

test('a password that is typed key by key is not kept', async () => {
  const { terminal, printed, inputs } = await open(
    '-c stty -echo; read -p "Password? " secret; stty echo; echo done',
  );
  await expect.poll(printed).toContain('Password? ');
  for (const key of 'tiger\r') {
    terminal.type(key);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await terminal.done;
  expect(texts(inputs())).toEqual([null]);
});

test('input at a prompt that edits its line is kept, though the terminal itself echoes nothing', async () => {
  const { terminal, printed, inputs } = await open('-i');
  await expect.poll(printed).toContain('shell> ');
  for (const key of 'echo one two\r') terminal.type(key);
  await expect.poll(printed).toMatch(/\[\?2004l\r?one two/);
  await expect.poll(() => printed().split('shell> ').length).toBe(3);
  terminal.type('exit\r');
  await terminal.done;
  expect(texts(inputs()).join('')).toContain('echo one two\r');
});

test('a password that a program asks for in raw mode is not kept', async () => {
  const { terminal, printed, inputs } = await open(
    '-c stty raw -echo; printf "Secret: "; dd bs=1 count=6 2>/dev/null >/dev/null; stty sane; echo thanks',
  );
  await expect.poll(printed).toContain('Secret: ');
  for (const key of 'tiger\r') terminal.type(key);
  await terminal.done;
  expect(printed()).toContain('thanks');
  expect(JSON.stringify(texts(inputs()))).not.toMatch(/tiger/);
});

test('an interrupt reaches a program that floods, at once', async () => {
  const { terminal, printed, inputs } = await open('-c trap "exit 9" INT; while :; do echo flood; done');
  await expect.poll(printed).toContain('flood');
  terminal.type('\x03');
  expect((await terminal.done).exitCode).toBe(9);
  expect(texts(inputs())).toEqual(['\x03']);
});
