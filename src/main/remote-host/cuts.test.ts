import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostService } from '@areas/hosts/node/host-service';
import type { RemoteProcess } from '@areas/hosts/node/remote-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HostStage, hasSsh } from './testing/stage';

let stage: HostStage;
let service: HostService;
let printed: Buffer[];

/** Half of the lines, and the other half once `go` is there; each in a file there too. */
const SCRIPT = `
for n in $(seq 1 50); do echo "line $n" | tee -a there.txt; done
while [ ! -e go ]; do sleep 0.05; done
for n in $(seq 51 100); do echo "line $n" | tee -a there.txt; done
`;
const ALL = Array.from({ length: 100 }, (_, n) => `line ${n + 1}\n`).join('');

beforeEach(async () => {
  stage = await HostStage.open();
  service = stage.service();
  printed = [];
});
afterEach(() => stage?.close());

async function started(script = SCRIPT): Promise<RemoteProcess> {
  const launched = await service.launch('gpu1', 'stream-1', {
    command: 'bash',
    args: ['-c', script],
    cwd: stage.home,
    env: {},
    owner: 'test',
    stdin: 'pipe',
    output: { kind: 'merged', chunk: (bytes) => void printed.push(Buffer.from(bytes)) },
  });
  if (!launched.ok) throw new Error(launched.error.message);
  return launched.value;
}

const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds).toBe(true);
const here = () => Buffer.concat(printed).toString('utf8');
const there = () =>
  existsSync(join(stage.home, 'there.txt')) ? readFileSync(join(stage.home, 'there.txt'), 'utf8') : '';
const state = () => service.rows()[0]?.state.kind;
const go = () => writeFileSync(join(stage.home, 'go'), '');

describe.skipIf(!hasSsh)('a program on a host', () => {
  test('each line arrives once when the ssh process is killed', async () => {
    const program = await started();
    await until(() => here().endsWith('line 50\n'));
    const ends = vi.fn();
    void program.exited.then(ends);
    process.kill(stage.sshPid(), 'SIGKILL');
    await until(() => state() === 'disconnected');
    go();
    await until(() => there().endsWith('line 100\n'));
    expect(await program.exited).toEqual({ code: 0, signal: null });
    await program.gone;
    expect([here(), there(), ends.mock.calls.length]).toEqual([ALL, ALL, 1]);
    await until(async () => (await service.test(stage.host)).ok);
    expect(service.rows()[0]?.facts?.stats.sessions).toBe(0);
  });

  test('work continues during a cut, and its output and end arrive once afterwards', async () => {
    const program = await started();
    await until(() => here().endsWith('line 50\n'));
    stage.proxy.cut();
    await until(() => state() === 'disconnected');
    go();
    await until(() => there() === ALL);
    expect(here()).not.toContain('line 51');
    // An attempt that fails is followed by another one.
    await until(() => stage.refused() >= 1);
    stage.proxy.mend();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect([here(), state()]).toEqual([ALL, 'connected']);
  });

  test('what was written during a cut reaches the program once, in order', async () => {
    const program = await started(
      'while read -r line; do echo "got $line"; [ "$line" = end ] && exit 3; done',
    );
    await program.write('one\n');
    stage.proxy.cut();
    await until(() => state() === 'disconnected');
    const written = Promise.all(['two\n', 'three\n', 'end\n'].map((text) => program.write(text)));
    stage.proxy.mend();
    await written;
    expect(await program.exited).toEqual({ code: 3, signal: null });
    expect(here()).toBe('got one\ngot two\ngot three\ngot end\n');
  });

  test('a program that was given up during a cut is lost here at once, and ends there after the cut', async () => {
    const program = await started();
    await until(() => here().endsWith('line 50\n'));
    stage.proxy.cut();
    await until(() => state() === 'disconnected');
    const reached = await service.reach('gpu1');
    if (!reached.ok) throw new Error(reached.error.message);
    const refused = stage.refused();
    reached.value.link.giveUp('stream-1');
    expect(await program.exited).toMatchObject({ code: null, host: 'guard' });
    expect([lives(program.pid), state()]).toEqual([true, 'disconnected']);
    // An attempt that fails is followed by another one, although nothing is left here.
    await until(() => stage.refused() > refused);
    stage.proxy.mend();
    await until(() => !lives(program.pid));
    await until(async () => (await service.test(stage.host)).ok);
    expect(service.rows()[0]?.facts?.stats.sessions).toBe(0);
  });

  test('a host process that was killed has lost its programs, and none is left', async () => {
    const program = await started();
    await until(() => here().endsWith('line 50\n'));
    process.kill(stage.hostPid(), 'SIGKILL');
    expect(await program.exited).toEqual({ code: null, signal: null, host: 'guard' });
    await until(() => !lives(program.pid));
    go();
    expect(here()).not.toContain('line 51');
    expect(await service.test(stage.host)).toMatchObject({ ok: true, value: { stats: { sessions: 0 } } });
  });

  test('a program is held when the desktop reads nothing of it, and nothing is dropped', async () => {
    const lines = 400_000;
    const program = await started(`seq 1 ${lines} | awk '{ printf "%060d\\n", $1 }'; echo done > there.txt`);
    program.hold();
    const before = await service.test(stage.host);
    expect(before.ok).toBe(true);
    expect(there()).toBe('');
    program.release();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const text = here();
    expect([text.length, text.slice(0, 61), text.slice(-7)]).toEqual([
      lines * 61,
      `${'1'.padStart(60, '0')}\n`,
      `${lines}\n`,
    ]);
  });
});

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
