import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type FromPtyHost,
  fromPtyHostSchema,
  type PtyHostControl,
  type TerminalSpec,
  type ToPtyHost,
} from '@areas/terminals/contract/host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BURST_BYTES } from '../limits/terminal-host';
import { bundlePtyHost } from './testing/bundle';

const folder = mkdtempSync(join(tmpdir(), 'muster-host-'));
let host: ChildProcess;
let entry = '';
const ended = new Map<string, Extract<FromPtyHost, { kind: 'exited' }>>();

beforeAll(async () => {
  entry = await bundlePtyHost();
  host = fork(entry, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  host.on('message', (raw) => {
    const parsed = fromPtyHostSchema.safeParse(raw);
    if (parsed.success && parsed.data.kind === 'exited') ended.set(parsed.data.id, parsed.data);
  });
  host.send({ kind: 'init', dataDir: folder });
});
afterAll(async () => {
  const gone = new Promise((resolve) => host.once('exit', resolve));
  host.disconnect();
  await gone;
  rmSync(folder, { recursive: true, force: true });
  rmSync(dirname(entry), { recursive: true, force: true });
});

const say = (message: ToPtyHost): void => void host.send(message);
const output = (id: string): string => join(folder, `${id}.log`);
function begin(id: string, script: string): void {
  const spec: TerminalSpec = {
    file: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    cols: 80,
    rows: 24,
    outputPath: output(id),
    hold: true,
    keep: false,
  };
  say({ kind: 'create', id, spec });
}
const size = (id: string): number => statSync(output(id), { throwIfNoEntry: false })?.size ?? 0;

test('300 terminals leave no descriptor behind', async () => {
  if (process.platform !== 'linux') return;
  const open = () => readdirSync(`/proc/${host.pid}/fd`).length;
  const round = async (name: string, many: number) => {
    const ids = Array.from({ length: many }, (_, index) => `${name}-${index}`);
    for (const id of ids) begin(id, 'echo x');
    await expect.poll(() => ids.every((id) => ended.has(id)), { timeout: 120_000 }).toBe(true);
  };
  await round('warm', 10);
  const before = open();
  for (let turn = 0; turn < 15; turn += 1) await round(`turn${turn}`, 20);
  await expect.poll(open).toBeLessThanOrEqual(before);
}, 300_000);

test('20 floods that no one watches go on, all of them, and hold up nothing else', async () => {
  const floods = Array.from({ length: 20 }, (_, index) => `flood-${index}`);
  say({ kind: 'limits', terminalBytes: 8_000_000 });
  for (const id of floods) begin(id, 'exec yes flood');
  const kept = (id: string): number =>
    readdirSync(folder)
      .filter((name) => name.startsWith(`${id}.log.`) && !/idx|notes/.test(name))
      .reduce((most, name) => Math.max(most, Number(name.split('.').at(-1))), 0) + size(id);
  await expect.poll(() => floods.every((id) => kept(id) > 0), { timeout: 120_000 }).toBe(true);
  const sizes = floods.map(kept);
  begin('beside', 'echo beside');
  await expect.poll(() => ended.has('beside'), { timeout: 120_000 }).toBe(true);
  await expect
    .poll(() => floods.every((id, index) => kept(id) > (sizes[index] ?? 0)), { timeout: 120_000 })
    .toBe(true);
  for (const id of floods) say({ kind: 'kill', id, graceMs: 500 });
  await expect.poll(() => floods.every((id) => ended.has(id)), { timeout: 120_000 }).toBe(true);
  expect(floods.map((id) => ended.get(id)?.exit.error)).toEqual(floods.map(() => null));
}, 300_000);

test('several floods leave the processors to a window that someone may be looking at, and go on when no one does', async () => {
  const floods = [1, 2, 3].map((number) => `beside-${number}`);
  const control = (message: PtyHostControl): void => void host.send(message);
  say({ kind: 'limits', terminalBytes: 1_000_000_000 });
  control({ kind: 'window', shown: true });
  for (const id of floods) begin(id, 'exec yes flood');
  const all = (): number => floods.reduce((sum, id) => sum + size(id), 0);
  const inSeconds = async (seconds: number): Promise<number> => {
    const before = all();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return all() - before;
  };
  await expect.poll(() => Math.min(...floods.map(size)), { timeout: 120_000 }).toBeGreaterThan(BURST_BYTES);
  await inSeconds(1);
  // Longer than two turns.
  const looked = (await inSeconds(4)) / 4;
  control({ kind: 'window', shown: false });
  const unseen = (await inSeconds(2)) / 2;
  for (const id of floods) say({ kind: 'kill', id, graceMs: 500 });
  await expect.poll(() => floods.every((id) => ended.has(id)), { timeout: 120_000 }).toBe(true);
  expect(looked).toBeGreaterThan(0);
  expect(looked).toBeLessThan(unseen / 1.5);
}, 300_000);
