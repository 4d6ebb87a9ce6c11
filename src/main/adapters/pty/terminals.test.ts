import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FromPtyHost, TerminalSpec, ToPtyHost } from '@areas/terminals/contract/host';
import type { FromTerminal, ToTerminal } from '@areas/terminals/contract/view';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { keptSpan } from './output/segments';
import { Terminals } from './terminals';

const folder = mkdtempSync(join(tmpdir(), 'muster-terminals-'));
const thread = new URL('./no-such-thread.js', import.meta.url);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let terminals: Terminals;
beforeEach(() => {
  terminals = new Terminals(folder, thread);
});
afterEach(() => terminals.close(0));

class Client {
  readonly heard: FromPtyHost[] = [];
  readonly #line = terminals.connect({ post: (message) => void this.heard.push(message) });

  say(message: ToPtyHost): void {
    this.#line.message(message);
  }

  gone(): void {
    this.#line.gone();
  }

  of<K extends FromPtyHost['kind']>(kind: K): Extract<FromPtyHost, { kind: K }>[] {
    return this.heard.filter((one): one is Extract<FromPtyHost, { kind: K }> => one.kind === kind);
  }
}

let count = 0;
function spec(script: string, keep = false): TerminalSpec {
  count += 1;
  return {
    file: '/bin/bash',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    cols: 80,
    rows: 24,
    outputPath: join(folder, `${count}.log`),
    hold: false,
    keep,
  };
}

test('the value of a secret is neither stored nor shown, and the rest of the output is whole', async () => {
  const client = new Client();
  const made = spec('printf "key=%s%s end sk-ant-" sk-ant-01234 56789; read line; echo " $KEY"');
  const secret = { env: { ...made.env, KEY: 'sk-ant-0123456789' }, secrets: ['KEY'] };
  client.say({ kind: 'create', id: 'masked', spec: { ...made, ...secret } });
  const output = () => readFileSync(made.outputPath, 'utf8');
  await expect.poll(output).toBe('key=*** end sk-ant-');
  client.say({ kind: 'write', id: 'masked', data: '\n' });
  await expect.poll(output).toMatch(/^key=\*{3} end sk-ant-\s+ \*{3}\s+$/);
});

test('a value that a running terminal gets later is not stored either', async () => {
  const client = new Client();
  const made = spec('printf begun; read line; echo " it is $line" | rev');
  client.say({ kind: 'create', id: 'later', spec: made });
  const output = () => readFileSync(made.outputPath, 'utf8');
  await expect.poll(output).toBe('begun');
  client.say({ kind: 'conceal', id: 'later', values: ['sk-ant-0123456789'] });
  await expect.poll(() => client.of('concealed')).toEqual([{ kind: 'concealed', id: 'later' }]);
  client.say({ kind: 'write', id: 'later', data: '9876543210-tna-ks\n' });
  await expect.poll(output).toMatch(/\*{3} si ti/);
  expect(output()).not.toContain('sk-ant-0123456789');
});

test('a kept terminal outlives its client and serves the next one; another one ends', async () => {
  const first = new Client();
  const kept = spec('echo begun; read line; echo "had $line"; exit 4', true);
  first.say({ kind: 'create', id: 'kept', spec: kept });
  first.say({ kind: 'create', id: 'other', spec: spec('sleep 60') });
  await expect.poll(() => first.of('created').length).toBe(2);
  await expect.poll(() => readFileSync(kept.outputPath, 'utf8')).toBe('begun\r\n');
  first.gone();
  const second = new Client();
  expect(second.heard[0]).toMatchObject({
    kind: 'hello',
    open: [{ id: 'kept', outputPath: kept.outputPath, bytes: 7, offset: 7 }],
  });
  second.say({ kind: 'write', id: 'kept', data: 'again\r' });
  await expect.poll(() => second.of('exited')).toMatchObject([{ id: 'kept', exit: { exitCode: 4 } }]);
  expect(readFileSync(kept.outputPath, 'utf8')).toContain('had again');
});

test('a client hears of all its terminals in one message, with the length of each', async () => {
  const client = new Client();
  const texts = ['one', 'second', 'third one'];
  const ids = texts.map((text, index) => {
    client.say({ kind: 'create', id: `t${index}`, spec: spec(`echo ${text}; read line`) });
    return `t${index}`;
  });
  const printed = () => client.of('printed').flatMap(({ outputs }) => outputs);
  await expect
    .poll(() => ids.map((id) => printed().findLast((one) => one.id === id)?.offset))
    .toEqual(texts.map((text) => text.length + 2));
});

test('what was printed while there was no client is told to the next one, before how it ended', async () => {
  const first = new Client();
  const kept = spec(`echo begun; while [ ! -e ${join(folder, 'go')} ]; do sleep 0.02; done; echo over`, true);
  first.say({ kind: 'create', id: 'kept', spec: kept });
  await expect.poll(() => first.of('printed').length).toBe(1);
  const [created] = first.of('created');
  first.gone();
  writeFileSync(join(folder, 'go'), '');
  await expect.poll(() => isGone(created?.pid ?? 0)).toBe(true);
  const second = new Client();
  await expect.poll(() => second.of('exited').length).toBe(1);
  expect(second.heard.map(({ kind }) => kind)).toEqual(['hello', 'printed', 'exited']);
  expect(second.of('printed')[0]?.outputs).toEqual([{ id: 'kept', bytes: 13, offset: 13 }]);
});

test('each client is told how a kept terminal ended until one has taken it', async () => {
  const first = new Client();
  const kept = spec('read line; exit 5', true);
  first.say({ kind: 'create', id: 'kept', spec: kept });
  await expect.poll(() => first.of('created').length).toBe(1);
  const [created] = first.of('created');
  first.gone();
  process.kill(created?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => isGone(created?.pid ?? 0)).toBe(true);
  const second = new Client();
  await expect.poll(() => second.of('exited')).toMatchObject([{ id: 'kept', exit: { signal: 9 } }]);
  second.gone();
  const third = new Client();
  expect(third.heard).toMatchObject([
    { kind: 'hello', open: [{ id: 'kept', killed: false }] },
    { kind: 'exited', id: 'kept', exit: { signal: 9 } },
  ]);
  third.say({ kind: 'taken', id: 'kept' });
  third.gone();
  expect(new Client().heard).toMatchObject([{ kind: 'hello', open: [] }]);
});

test('the end of a terminal that its client saw is told to the next one, unless it was taken', async () => {
  const first = new Client();
  for (const id of ['taken', 'left']) first.say({ kind: 'create', id, spec: spec('exit 3', true) });
  await expect.poll(() => first.of('exited').length).toBe(2);
  first.say({ kind: 'taken', id: 'taken' });
  first.gone();
  expect(new Client().of('exited')).toMatchObject([{ id: 'left', exit: { exitCode: 3 } }]);
});

test('terminals that a client leaves go to the one that came before it was gone, and say that they were to end', async () => {
  const first = new Client();
  first.say({ kind: 'create', id: 'kept', spec: spec("trap '' TERM; echo on; sleep 60; sleep 60", true) });
  await expect.poll(() => first.of('printed').length).toBe(1);
  first.say({ kind: 'kill', id: 'kept', graceMs: 60_000 });
  const second = new Client();
  expect(second.heard).toMatchObject([{ kind: 'hello', open: [] }]);
  first.gone();
  expect(second.heard[1]).toMatchObject({ kind: 'hello', open: [{ id: 'kept', killed: true }] });
  second.say({ kind: 'kill', id: 'kept', graceMs: 0 });
  await expect.poll(() => second.of('exited').length).toBe(1);
});

test('a terminal whose client went while it was being opened goes to the next one', async () => {
  const first = new Client();
  first.say({ kind: 'create', id: 'kept', spec: spec('sleep 60', true) });
  first.gone();
  const second = new Client();
  await expect.poll(() => second.of('hello').flatMap(({ open }) => open)).toMatchObject([{ id: 'kept' }]);
});

test('kept terminals that no one will take up are ended and forgotten', async () => {
  const first = new Client();
  first.say({ kind: 'create', id: 'lives', spec: spec('sleep 60', true) });
  first.say({ kind: 'create', id: 'ended', spec: spec('exit 3', true) });
  await expect.poll(() => first.of('exited').length).toBe(1);
  await expect.poll(() => first.of('created').length).toBe(2);
  const pid = first.of('created').find(({ id }) => id === 'lives')?.pid ?? 0;
  first.gone();
  terminals.abandon();
  await expect.poll(() => isGone(pid), { timeout: 120_000 }).toBe(true);
  expect(new Client().heard).toMatchObject([{ kind: 'hello', open: [] }]);
});

test('a lowered limit applies to open terminals; their clients and screens are told', async () => {
  const client = new Client();
  client.say({ kind: 'limits', terminalBytes: 400_000 });
  const flood = spec(
    'for i in $(seq 1 30); do head -c 50000 /dev/zero | tr "\\0" x; sleep 0.01; done; read rest',
  );
  client.say({ kind: 'create', id: 'flood', spec: flood });
  await expect.poll(() => client.of('created').length).toBe(1);
  const seen: FromTerminal[] = [];
  terminals.show(flood.outputPath, {
    post: (message) => void seen.push(message),
    onMessage: (listener) => listener({ kind: 'show', cols: 80, rows: 24 }),
    onClose: () => undefined,
  });
  await expect.poll(() => keptSpan(flood.outputPath).end, { timeout: 120_000 }).toBeGreaterThan(500_000);
  await expect.poll(() => client.of('evicted').length).toBeGreaterThan(0);
  expect(seen.some((one) => one.kind === 'evicted')).toBe(true);
  const { from, end } = keptSpan(flood.outputPath);
  expect(from).toBeGreaterThan(0);
  expect(end - from).toBeLessThanOrEqual(400_000 + 256 * 1024);
  expect(statSync(flood.outputPath).size).toBe(0);
});

/** A terminal that does not echo typed input, and a function that types into it. */
async function typedInto(client: Client): Promise<(data: string) => void> {
  const typed = spec('stty -echo; echo on; exec cat > /dev/null');
  client.say({ kind: 'create', id: 'typed', spec: typed });
  await expect.poll(() => client.of('printed').length).toBeGreaterThan(0);
  let type: (message: ToTerminal) => void = () => undefined;
  terminals.show(typed.outputPath, {
    post: () => undefined,
    onMessage: (listener) => {
      type = listener;
    },
    onClose: () => undefined,
  });
  type({ kind: 'show', cols: 80, rows: 24 });
  return (data) => type({ kind: 'input', data });
}

test('output that is held while the operator types loses nothing, also where the program ends meanwhile', async () => {
  const client = new Client();
  const type = await typedInto(client);
  const typing = setInterval(() => type('x'), 20);
  const script = 'head -c 150000 /dev/zero | tr "\\0" x';
  const floods = Array.from({ length: 12 }, () => ({ ...spec(script), hold: true }));
  for (const [index, flood] of floods.entries())
    client.say({ kind: 'create', id: `flood${index}`, spec: flood });
  await expect.poll(() => client.of('exited').length, { timeout: 120_000 }).toBe(floods.length);
  clearInterval(typing);
  expect(client.of('exited').map(({ exit }) => exit.bytes)).toEqual(floods.map(() => 150_000));
});

test('floods wait while the operator types, and go on afterwards', async () => {
  const client = new Client();
  const type = await typedInto(client);
  const floods = Array.from({ length: 8 }, () => ({ ...spec('exec yes flood'), hold: true }));
  for (const [index, flood] of floods.entries())
    client.say({ kind: 'create', id: `flood${index}`, spec: flood });
  const sizes = () => floods.map(({ outputPath }) => keptSpan(outputPath).end);
  await expect.poll(() => sizes().every((size) => size > 0)).toBe(true);
  // Invisible floods are written every 48 ms, so a size that stays unchanged longer means a paused terminal.
  let last = sizes();
  let stayed = floods.map(() => 0);
  await expect
    .poll(
      () => {
        type('x');
        const now = sizes();
        stayed = now.map((size, index) => (size === last[index] ? (stayed[index] ?? 0) + 1 : 0));
        last = now;
        return Math.max(...stayed);
      },
      { timeout: 120_000, interval: 50 },
    )
    .toBeGreaterThan(3);
  const held = sizes();
  await expect
    .poll(() => sizes().every((size, index) => size > (held[index] ?? 0) + 1_000_000), { timeout: 120_000 })
    .toBe(true);
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
