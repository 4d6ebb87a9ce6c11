import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostProcess } from './host-process';
import { settings } from './testing/built-host';

/** How each start of a host behaves; the last entry stays. */
type Behaviour = 'works' | 'dies at once' | 'dies at open' | 'dies at start' | 'needs no sandbox' | 'is full';

/** A host process without Electron, which counts its starts. */
function hostThat(...behaviours: readonly Behaviour[]) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-host-'));
  const script = join(folder, 'host.cjs');
  const starts = join(folder, 'starts');
  writeFileSync(starts, '');
  writeFileSync(
    script,
    `const fs = require('node:fs');
    const behaviours = ${JSON.stringify(behaviours)};
    const number = fs.readFileSync(${JSON.stringify(starts)}, 'utf8').length;
    fs.appendFileSync(${JSON.stringify(starts)}, 'x');
    const now = behaviours[Math.min(number, behaviours.length - 1)];
    const weak = process.argv.includes('--no-sandbox');
    const die = (words) => { fs.writeSync(2, words + '\\n'); process.kill(process.pid, 'SIGKILL'); };
    const from = (repl, message) => process.send({ kind: 'from', repl, message });
    if (now === 'dies at once') die('out of luck');
    else if (now === 'needs no sandbox' && !weak) die('no usable room');
    else {
      process.on('disconnect', () => process.exit());
      process.on('message', ({ kind, repl, message }) => {
        if (kind === 'close') return process.send({ kind: 'gone', repl, reason: 'closed' });
        if (kind === 'open' && now === 'dies at open') return die('');
        if (kind === 'open' && now === 'is full')
          return process.send({ kind: 'refused', repl, why: 'full', message: 'There are already 8 sandboxes.' });
        if (kind === 'open')
          return process.send({ kind: 'opened', repl, pid: process.pid, confinement: { osSandbox: true, detail: '' } });
        if (message.kind === 'start' && now === 'dies at start') return die('');
        if (message.kind === 'start') from(repl, { kind: 'ready', python: '3', isolated: true });
        if (message.kind === 'exec' && message.code === 'die') die('');
      });
      process.send({ kind: 'up' });
    }`,
  );
  const sandboxes = new HostProcess({
    electron: { program: 'node', args: [script] },
    isRoot: false,
    spareMs: 0,
  });
  onTestFinished(async () => {
    await sandboxes.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (allowWeak: boolean) => sandboxes.start({ ...settings, allowWeak });
  return { start, sandboxes, starts: () => readFileSync(starts, 'utf8').length };
}

test.each<Behaviour>(['dies at once', 'dies at open', 'dies at start'])(
  'a host that %s is started again',
  async (behaviour) => {
    const { start, starts } = hostThat(behaviour, 'works');
    const started = await start(false);
    expect([started.ok, starts()]).toEqual([true, 2]);
  },
);

test.each<[Behaviour, number, string]>([
  ['dies at once', 3, 'The process for the sandbox did not start: out of luck.'],
  ['dies at open', 3, 'The process for the sandbox ended while the sandbox started.'],
  ['dies at start', 3, 'The sandbox ended before Python had started in it.'],
])(
  'a host that always %s is told as a process that ended, and not as a policy',
  async (behaviour, tries, message) => {
    const { start, starts } = hostThat(behaviour);
    const started = await start(false);
    expect(started.ok ? null : started.error).toMatchObject({ message, mend: 'Try again.' });
    expect(starts()).toBe(tries);
  },
);

test('a host that starts only without the sandbox of the operating system is told as the policy, or is used where that is allowed', async () => {
  const strict = hostThat('needs no sandbox');
  const refused = await strict.start(false);
  expect(refused.ok ? '' : `${refused.error.message} ${refused.error.mend}`).toMatch(
    /no usable room.*--allow-weak-sandbox/,
  );
  const started = await hostThat('needs no sandbox').start(true);
  expect(started.ok).toBe(true);
});

test('a refusal that has nothing to do with the policy does not name it', async () => {
  const started = await hostThat('is full').start(false);
  expect(started.ok ? null : started.error).toMatchObject({ message: 'There are already 8 sandboxes.' });
  expect(started.ok ? '' : String(started.error.mend)).not.toContain('--allow-weak-sandbox');
});

test('after a host has died under two sandboxes the next start gets a living one', async () => {
  const { start } = hostThat('works');
  const [first, second] = await Promise.all([start(false), start(false)]);
  if (!first.ok || !second.ok) throw new Error('they did not start');
  const ask = async () => [];
  expect(await first.value.exec('die', { seconds: 60, ask })).toEqual({ kind: 'lost', reason: 'host' });
  expect(second.value.lost).toBe('host');
  const third = await start(false);
  expect(third.ok && third.value.alive).toBe(true);
});
