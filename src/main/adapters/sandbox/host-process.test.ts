import type { ExecResult } from '@contract/sandbox/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../core/ports/programs/sandbox';
import { HostProcess, type HostProcessParts } from './host-process';
import {
  type BuiltHost,
  builtHost,
  isAlive,
  isRoot,
  printed,
  run,
  settings,
  started,
} from './testing/built-host';

/** A cold start takes two seconds on an idle machine, and half a minute on a busy one. */

describe('a sandbox in its host process', () => {
  let host: BuiltHost;
  let sandbox: Sandbox;

  beforeAll(async () => {
    host = await builtHost();
    sandbox = await started(host.sandboxes);
  });
  afterAll(() => host.end());

  test('the REPL keeps variables between blocks and says what each block left', async () => {
    const first = await run(
      sandbox,
      'import sys\nx = 41\nprint("out")\nprint("err", file=sys.stderr)\n1 / 0',
    );
    expect(first).toEqual({
      kind: 'done',
      timedOut: false,
      result: {
        stdout: 'out\n',
        stderr: 'err\n',
        dropped: 0,
        error:
          'Traceback (most recent call last):\n  File "<repl>", line 5, in <module>\nZeroDivisionError: division by zero\n',
        interrupted: false,
        final: null,
        variables: ['sys', 'x'],
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    });
    expect(await printed(sandbox, 'print(x + 1)')).toBe('42');
    expect(await sandbox.read('x')).toBe('41');
    expect(await sandbox.read('missing')).toBeNull();
  });

  test('documents arrive whole, in their order, and count characters as Python does', async () => {
    const documents = ['first', '', 'x'.repeat(2_500_000), '😀'.repeat(1_500_000)];
    expect(await sandbox.setContext(documents)).toEqual({ ok: true, value: undefined });
    expect(
      await printed(sandbox, 'print([len(text) for text in context], context[0], set(context[3]))'),
    ).toBe("[5, 0, 2500000, 1500000] first {'😀'}");
    await sandbox.setContext(['other']);
    expect(await printed(sandbox, 'print(context)')).toBe("['other']");
  });

  test('sub-calls give text in their order, and a failed one is an exception or an error in its slot', async () => {
    const ask = async (prompts: readonly { instruction: string; content: string }[]) =>
      prompts.map(({ instruction, content }) =>
        instruction === 'bad' ? { ok: false, text: 'no' } : { ok: true, text: `${instruction}:${content}` },
      );
    const code =
      'print(llm_query("a", "b"))\nprint(llm_query_batched([("c", "d"), ("bad", ""), "e"]))\nllm_query("bad")';
    const text = await printed(sandbox, code, { ask });
    expect(text).toContain("a:b\n['c:d', 'Error: no', 'e:']");
    expect(text).toContain('ValueError: no');
  });

  test('an answer of several megabytes comes through', async () => {
    const text = 'é😀'.repeat(1_000_000);
    const ask = async () => [{ ok: true, text }];
    expect(await printed(sandbox, 'r = llm_query("x")\nprint(len(r), r[-2:])', { ask })).toBe('2000000 é😀');
  });

  test('a sub-call over the limit is refused in Python and asks no one', async () => {
    expect(await printed(sandbox, 'llm_query("x", "y" * 500_000)')).toContain(
      'ValueError: This sub-call has 500,001',
    );
  });

  test.each([
    ['FINAL("done")', { call: 'FINAL', text: 'done' }],
    ['FINAL(0)', { call: 'FINAL', text: '0' }],
    ['zero = 0\nFINAL_VAR("zero")', { call: 'FINAL_VAR', text: '0' }],
    ['PARTIAL("half")', { call: 'PARTIAL', text: 'half' }],
    ['FINAL_VAR("missing")', null],
    ['answer["content"] = None\nanswer["ready"] = True', null],
    ['answer["content"] = 7\nanswer["ready"] = True', { call: 'answer', text: '7' }],
    ['answer["content"] = 0\nanswer["ready"] = True', { call: 'answer', text: '0' }],
    ['answer["content"] = ""\nanswer["ready"] = True', { call: 'answer', text: '' }],
  ])('the block %s ends the work as it says', async (code, final) => {
    const end = await run(sandbox, code);
    expect(end.kind === 'done' && end.result.final).toEqual(final);
  });

  test('output over the limit is cut and counted', async () => {
    const end = await run(sandbox, 'print("é" * 25_000, end="")');
    expect(end.kind === 'done' && [end.result.stdout.length, end.result.dropped]).toEqual([20_000, 5_000]);
  });

  test.each([
    ['a loop', 'while True: pass'],
    ['a sleep', 'import time\ntime.sleep(1000)'],
    ['a catastrophic pattern', 'import re\nre.match(r"(a+)+$", "a" * 60 + "b")'],
  ])('an interrupt ends %s within a second and keeps the variables', async (_, code) => {
    await printed(sandbox, 'kept = "kept"');
    const ending = run(sandbox, code);
    setTimeout(() => sandbox.interrupt(), 200);
    const end = await ending;
    expect(end.kind === 'done' && end.result.interrupted).toBe(true);
    expect(await printed(sandbox, 'print(kept)')).toBe('kept');
  });

  test('an interrupt ends the wait for a sub-call, and its late answer reaches no later call', async () => {
    let answer: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let aborted = false;
    const ending = run(sandbox, 'llm_query("slow")', {
      ask: async (_prompts, cancel) => {
        cancel.onCancel(() => {
          aborted = true;
        });
        setTimeout(() => sandbox.interrupt(), 50);
        await late;
        return [{ ok: true, text: 'late' }];
      },
    });
    const end = await ending;
    expect(end.kind === 'done' && end.result.interrupted).toBe(true);
    expect(aborted).toBe(true);
    answer();
    const ask = async () => [{ ok: true, text: 'right' }];
    expect(await printed(sandbox, 'print(llm_query("next"))', { ask })).toBe('right');
  });

  test('the time limit counts computing, not waiting for a sub-call', async () => {
    const ask = async () => {
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      return [{ ok: true, text: 'x' }];
    };
    const waited = await run(sandbox, 'print(llm_query("x"))', { ask, seconds: 5 });
    expect(waited.kind === 'done' && [waited.timedOut, waited.result.stdout]).toEqual([false, 'x\n']);
    const computed = await run(sandbox, 'while True: pass', { seconds: 0.3 });
    expect(computed.kind === 'done' && computed.timedOut).toBe(true);
  });

  test('clock and random numbers are those of the seed, also in another process, and variables that differ are seen', async () => {
    const code = [
      'import datetime, os, random, secrets, tempfile, time, uuid',
      'random.shuffle(order := list(range(100)))',
      'rng = random.Random()',
      'time.sleep(0.01)',
      'seen = [random.random(), rng.random(), order, os.urandom(4), uuid.uuid1(), uuid.uuid4(), secrets.token_hex()]',
      'times = [time.time(), time.monotonic(), time.perf_counter(), datetime.datetime.now(), time.ctime()]',
      'names = [{"b", "a", "c"}, hash("x"), next(tempfile._get_candidate_names())]',
    ].join('\n');
    const left = async (seed: string): Promise<unknown[]> => {
      const fresh = await started(host.sandboxes);
      await fresh.fix({ seed: seed.repeat(32), now: 1_700_000_000_000 });
      await fresh.setContext(['x']);
      const first = await run(fresh, code);
      await fresh.read('seen');
      const second = await run(
        fresh,
        'import random, time\nprint(random.random(), time.time(), seen, times, names)',
      );
      await fresh.stop();
      return [first, second];
    };
    const [first, again, other] = [await left('a'), await left('a'), await left('b')];
    expect(first).toEqual(again);
    const [quiet, loud] = first as { result: ExecResult }[];
    expect([quiet?.result.error, quiet?.result.stdout]).toEqual([null, '']);
    expect(loud?.result.stdout).toContain('2023, 11, 14');
    const [differs] = other as { result: ExecResult }[];
    expect(differs?.result.fingerprint).not.toBe(quiet?.result.fingerprint);
    expect({ ...differs?.result, fingerprint: '' }).toEqual({ ...quiet?.result, fingerprint: '' });
  });

  test('random numbers of two sandboxes differ, although both begin with the same memory', async () => {
    const first = async (): Promise<string> => {
      const fresh = await started(host.sandboxes);
      const text = await printed(fresh, 'import random\nprint(random.random())');
      await fresh.stop();
      return text;
    };
    expect(await first()).not.toBe(await first());
  });

  test('memory runs out as a MemoryError, and the REPL lives on', async () => {
    const text = await printed(sandbox, 'hoard = []\nwhile True: hoard.append(bytearray(64_000_000))');
    expect(text).toContain('MemoryError');
    expect(await printed(sandbox, 'del hoard\nprint("alive")')).toBe('alive');
  });
});

describe('the end of a sandbox', () => {
  let host: BuiltHost;
  beforeAll(async () => {
    host = await builtHost();
  });
  afterAll(() => host.end());

  test.each([
    [
      'a loop that swallows KeyboardInterrupt',
      'while True:\n try:\n  while True: pass\n except BaseException: pass',
    ],
    ['a loop in C', 'sum(range(10**12))'],
  ])('%s is ended with its process at the time limit', async (_, code) => {
    const sandbox = await started(host.sandboxes);
    expect(await run(sandbox, code, { seconds: 0.5 })).toEqual({ kind: 'lost', reason: 'time' });
    await sandbox.stop();
    expect(isAlive(sandbox.pid)).toBe(false);
  });

  test('a process over its memory limit is ended, and the block says why', async () => {
    const sandbox = await started(host.sandboxes, { memoryMb: 300 });
    const end = await run(
      sandbox,
      'b = bytearray(400_000_000)\nfor i in range(0, len(b), 4096): b[i] = 1\nwhile True: pass',
    );
    expect(end).toEqual({ kind: 'lost', reason: 'memory' });
    await sandbox.stop();
    expect(isAlive(sandbox.pid)).toBe(false);
  });

  test('stopping a sandbox in mid-block leaves no process', async () => {
    const sandbox = await started(host.sandboxes);
    const ending = run(sandbox, 'while True: pass');
    await sandbox.stop();
    expect(await ending).toEqual({ kind: 'lost', reason: 'closed' });
    expect(isAlive(sandbox.pid)).toBe(false);
  });
});

describe('the warm spare', () => {
  let host: BuiltHost;
  beforeAll(async () => {
    host = await builtHost([], 60_000);
  });
  afterAll(() => host.end());

  test('the warm spare comes after the first use, is a process of its own without anything in it, and ends with Muster', async () => {
    expect(await host.sandboxes.sparePid()).toBeNull();
    const first = await started(host.sandboxes);
    await printed(first, 'x = 1');
    const warm = await host.sandboxes.sparePid();
    const second = await started(host.sandboxes);
    expect([second.pid, warm === first.pid]).toEqual([warm, false]);
    expect(await printed(second, 'print("x" in globals())')).toBe('False');
    // Other limits: the existing spare is replaced by a matching one.
    const other = await started(host.sandboxes, { outputChars: 5 });
    expect(await printed(other, 'print("y" * 10)')).toBe('yyyyy');
    await Promise.all([first.stop(), second.stop(), other.stop()]);
    const pid = (await host.sandboxes.sparePid()) ?? 0;
    expect([pid > 0, isAlive(pid)]).toEqual([true, true]);
    await host.sandboxes.stop();
    expect(isAlive(pid)).toBe(false);
  });
});

test('without Electron a start is refused with what to do', async () => {
  const none = await new HostProcess({ electron: null, isRoot: false, spareMs: 0 }).start(settings);
  expect(none.ok ? null : [none.error.code, none.error.mend]).toEqual(['unavailable', 'Run: npm run setup']);
});

test('an Electron that cannot be used or started is refused with the reason', async () => {
  const start = async (electron: HostProcessParts['electron']) => {
    const started = await new HostProcess({ electron, isRoot: false, spareMs: 0 }).start(settings);
    return started.ok ? '' : started.error.message;
  };
  expect(await start({ trouble: 'EACCES: permission denied' })).toBe(
    'Electron is installed, but cannot be used: EACCES: permission denied.',
  );
  expect(await start({ program: '/no/such/program', args: [] })).toContain('ENOENT');
});

test('as root a start is refused unless the weaker sandbox was allowed', async () => {
  const refused = await new HostProcess({
    electron: programOf(process.execPath),
    isRoot: true,
    spareMs: 0,
  }).start({
    ...settings,
    allowWeak: false,
  });
  expect(refused.ok ? null : refused.error.mend).toContain('--allow-weak-sandbox');
});

test.runIf(isRoot)('the error about a program that is not Electron has its last words', async () => {
  const failed = await new HostProcess({ electron: programOf('/bin/false'), isRoot, spareMs: 0 }).start(
    settings,
  );
  expect(failed.ok ? null : failed.error.message).toContain('did not start');
});

const programOf = (program: string) => ({ program, args: [] });
