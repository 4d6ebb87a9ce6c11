import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../core/ports/programs/sandbox';
import { type BuiltHost, builtHost, printed, run, started } from './testing/built-host';

let host: BuiltHost;
let sandbox: Sandbox;

beforeAll(async () => {
  host = await builtHost();
  sandbox = await started(host.sandboxes);
});
afterAll(() => host.end());

const living = async (): Promise<Sandbox> => {
  if (!sandbox.alive) sandbox = await started(host.sandboxes);
  return sandbox;
};

const PROTO = 'from pyodide.ffi import to_js\n';

test.each([
  ['memory that is overwritten', 'import ctypes\nctypes.memset(0, 255, 100_000)'],
  ['a script for Emscripten', 'import ctypes\nctypes.CDLL(None).emscripten_run_script(b"throw 1")'],
  ['a recursion without a limit', 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()'],
  ['a replaced method of arrays', `${PROTO}to_js([1]).__proto__.push = lambda *a: 0`],
  ['a replaced method of all objects', `${PROTO}to_js([1]).__proto__.__proto__.toString = lambda *a: "x"`],
])('after %s the interpreter works, or its death ends the sandbox', async (_, code) => {
  const attacked = await living();
  const ends = [await run(attacked, code, { seconds: 10 })];
  ends.push(await run(attacked, 'print("on")', { seconds: 10 }));
  const last = ends.at(-1);
  if (last?.kind === 'done') expect(last.result).toMatchObject({ stdout: 'on\n', error: null });
  else expect([attacked.alive, ['crashed', 'time']]).toEqual([false, expect.arrayContaining([last?.reason])]);
});

test('code does not get the global of the worker from a callback, and nothing of it runs between blocks', async () => {
  const one = await living();
  const code = [
    'import js, ctypes, time',
    'from pyodide.ffi import create_proxy',
    'kept = []',
    'def f(this, *a): kept.append(repr(this))',
    'p = create_proxy(f, capture_this=True)',
    'js.setTimeout.call(None, p, 0)',
    'js.setTimeout(p, 0)',
  ].join('\n');
  await printed(one, code);
  for (let block = 0; block < 3; block += 1) await one.read('kept');
  expect(await printed(one, 'print(kept)')).toBe('[]');
});

test('the output of a block does not depend on what code put into shared modules and built-in functions', async () => {
  const one = await living();
  const attack = [
    'import json, itertools, traceback, builtins, sys',
    'forged = lambda *a, **k: "forged"',
    'json.dumps = json.loads = itertools.chain = itertools.islice = forged',
    'json.JSONEncoder.encode = json.encoder.encode_basestring_ascii = forged',
    'builtins.sorted = builtins.type = builtins.isinstance = builtins.format = builtins.hash = forged',
    'globals()[7] = 8',
  ].join('\n');
  await run(one, attack);
  const ask = async () => [{ ok: true, text: 'right' }];
  expect(await printed(one, 'print("true", llm_query("x"))', { ask })).toBe('true right');
  await one.stop();
});

test('output that ends with a line break at its limit is whole', async () => {
  const one = await living();
  const droppedBy = async (code: string) => {
    const end = await run(one, code);
    return end.kind === 'done' && end.result.dropped;
  };
  expect(await droppedBy('print("x" * 20_000)')).toBe(0);
  expect(await droppedBy('print("x" * 20_000)\nprint("y")')).toBe(2);
});

test('the fingerprint of variables calls nothing of a class that names itself after a library', async () => {
  const one = await living();
  const code = [
    'import datetime',
    'class Fake:\n  def __repr__(self): called.append(1); return "x"',
    'Fake.__module__ = "datetime"',
    'called = []',
    'values = [Fake(), datetime.date(2020, 1, 2)]',
  ].join('\n');
  await printed(one, code);
  expect(await printed(one, 'print(called)')).toBe('[]');
});

test('a variable whose text raises an exception is none, and the interpreter lives on', {}, async () => {
  const one = await living();
  await printed(one, 'class X:\n  def __str__(self): raise RuntimeError\nx = X()');
  expect([await one.read('x'), one.alive]).toEqual([null, true]);
});
