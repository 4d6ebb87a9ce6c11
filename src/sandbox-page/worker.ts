import { SANDBOX_SLICE_MS } from '@contract/limits';
import type { ExecResult, SubPrompt } from '@contract/sandbox/protocol';
import type { PyodideAPI } from 'pyodide';
import boot from './boot.py?raw';
import { FixedWorld } from './fixed-world';
import { freezeWorld } from './frozen-world';
import { interruptBuffer } from './interrupt-buffer';
import { CONTROL, type FromWorker, type SharedParts, STATE, type ToWorker } from './worker-wire';

/*
 * The worker in which Python runs. Python gets no JavaScript globals: all it can reach is what boot.py was given, a
 * synchronous question to the core and a sleep that an interrupt ends. What this file uses after the first block is
 * taken from the globals before it.
 */
const { parse, stringify } = JSON;
const { load, store, wait } = Atomics;
const text = String;

const INTERRUPT = 2;
/** What a host call gives where an interrupt ended the wait. boot.py raises KeyboardInterrupt for it. */
const INTERRUPTED = 'null';

type PyFunction = (...given: readonly unknown[]) => string;

/** What boot.py leaves for us, as functions that take and give JSON. */
interface Repl {
  readonly run: PyFunction;
  readonly read: PyFunction;
  readonly context: PyFunction;
  readonly reseed: PyFunction;
}

const world = new FixedWorld();
world.install();

class Waiter {
  readonly #interrupt: Uint8Array;
  readonly #data: Uint8Array;
  readonly #never = new Int32Array(new SharedArrayBuffer(4));
  readonly #decoder = new TextDecoder();

  constructor({ interrupt, data }: SharedParts) {
    this.#interrupt = new Uint8Array(interrupt);
    this.#data = new Uint8Array(data);
  }

  /** Takes an interrupt, so that Python is not interrupted a second time by it. */
  #taken(): boolean {
    if (load(this.#interrupt, 0) !== INTERRUPT) return false;
    store(this.#interrupt, 0, 0);
    return true;
  }

  /** False where an interrupt ended it. */
  sleep(ms: number): boolean {
    for (const until = world.machineNow() + ms; world.machineNow() < until; ) {
      if (this.#taken()) return false;
      wait(this.#never, 0, 0, Math.min(SANDBOX_SLICE_MS, until - world.machineNow()));
    }
    world.pass(ms);
    return !this.#taken();
  }

  /** The answer to a call, part by part; null where an interrupt ended the wait. */
  answer(control: Int32Array, more: () => void): string | null {
    const parts: string[] = [];
    for (;;) {
      if (this.#taken()) return null;
      if (load(control, CONTROL.state) === STATE.waiting) {
        wait(control, CONTROL.state, STATE.waiting, SANDBOX_SLICE_MS);
        continue;
      }
      // A decoder refuses shared memory, so the part is copied.
      const part = this.#data.slice(0, load(control, CONTROL.length));
      const last = load(control, CONTROL.last) === 1;
      parts.push(this.#decoder.decode(part, { stream: !last }));
      if (last) return parts.join('');
      store(control, CONTROL.state, STATE.waiting);
      more();
    }
  }
}

let execId = '';

/**
 * A timer would only run between blocks, and hand the worker's global to its callback. Python's event loop needs the names.
 */
const noTimer = Object.freeze((): number => 0);
const TIMERS = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'queueMicrotask', 'setImmediate'];

/** After Pyodide has loaded, and before the first block. */
function close(): void {
  freezeWorld();
  for (const name of TIMERS)
    Object.defineProperty(self, name, { value: noTimer, writable: false, configurable: false });
}

/** The memory of a Python that has started, with its environment (tools/lib/write-python-snapshot.mjs). */
async function startedPython(): Promise<ArrayBuffer> {
  const { body } = await fetch(`${self.location.origin}/python.gz`);
  if (body === null) throw new Error('its snapshot is missing');
  return new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function begin(port: MessagePort, shared: SharedParts): Promise<void> {
  const post = port.postMessage.bind(port);
  const say = (message: FromWorker): void => post(message);
  const waiter = new Waiter(shared);
  const snapshot = startedPython();
  // No globals are kept for Python, and the loader below is the last script that is served.
  const { loadPyodide } = (await import(/* @vite-ignore */ `${self.location.origin}/pyodide.mjs`)) as {
    loadPyodide: (options: object) => Promise<PyodideAPI>;
  };
  const py = await loadPyodide({
    indexURL: `${self.location.origin}/`,
    jsglobals: { setTimeout: noTimer, clearTimeout: noTimer, Object: { fromEntries: Object.fromEntries } },
    stdout: () => undefined,
    stderr: () => undefined,
    fullStdLib: false,
    _loadSnapshot: snapshot,
  });
  py.setInterruptBuffer(interruptBuffer(shared.interrupt));
  const host = Object.freeze({
    call(prompts: string): string {
      const control = new SharedArrayBuffer(CONTROL.words * Int32Array.BYTES_PER_ELEMENT);
      say({ kind: 'call', exec: execId, prompts: parse(prompts) as SubPrompt[], control });
      return waiter.answer(new Int32Array(control), () => say({ kind: 'more' })) ?? INTERRUPTED;
    },
    sleep: (seconds: number): boolean => waiter.sleep(seconds * 1000),
  });
  py.registerJsModule('_muster_host', host);
  let repl: Repl | null = null;
  const { PythonError } = py.ffi;
  const isOfBlock = (cause: unknown): boolean =>
    cause instanceof PythonError && (cause.type === 'KeyboardInterrupt' || cause.type === 'MemoryError');
  port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    try {
      if (data.kind === 'start') {
        repl = booted(py, stringify(data.settings));
        close();
        say({ kind: 'ready', python: py.runPython('import sys; sys.version.split()[0]') as string });
      } else if (repl !== null) act({ ...repl, isOfBlock }, data, say);
    } catch (cause) {
      say({ kind: 'fatal', message: text(cause).slice(0, 4_000) });
    }
  };
}

function booted(py: PyodideAPI, settings: string): Repl {
  const namespace = py.globals.get('dict')();
  // Its own built-in functions: code can replace those that it shares.
  namespace.set('__builtins__', py.runPython('import builtins; dict(vars(builtins))'));
  py.runPython(boot, { globals: namespace, filename: '<repl host>' });
  const start = namespace.get('start');
  const [run, read, context, reseed] = start(settings).toJs() as PyFunction[];
  if (run === undefined || read === undefined || context === undefined || reseed === undefined)
    throw new Error('boot.py is incomplete');
  py.unregisterJsModule('_muster_host');
  return { run, read, context, reseed };
}

function act(
  repl: Repl & { readonly isOfBlock: (cause: unknown) => boolean },
  message: Exclude<ToWorker, { kind: 'start' }>,
  say: (message: FromWorker) => void,
): void {
  const { id } = message;
  if (message.kind === 'fix') {
    world.fix(message.seed.seed, message.seed.now);
    repl.reseed();
    return say({ kind: 'taken', id, error: null });
  }
  if (message.kind === 'context') {
    const error = parse(repl.context(message.text, message.begin, message.last)) as string | null;
    return say({ kind: 'taken', id, error });
  }
  if (message.kind === 'read') {
    const text = parse(repl.read(message.name)) as string | null;
    return say({ kind: 'read', id, result: { text } });
  }
  execId = id;
  world.beginBlock();
  const result = resultOf(() => repl.run(message.code), repl.isOfBlock);
  world.endBlock();
  say({ kind: 'done', id, result });
}

/**
 * An interrupt may come, or the memory end, while boot.py puts the result together. Anything else that it throws means
 * that the interpreter is dead.
 */
function resultOf(run: () => string, isOfBlock: (cause: unknown) => boolean): ExecResult {
  try {
    return parse(run()) as ExecResult;
  } catch (cause) {
    if (!isOfBlock(cause)) throw cause;
    const error = text(cause).slice(-2_000);
    const interrupted = error.includes('KeyboardInterrupt');
    return { stdout: '', stderr: '', dropped: 0, error, interrupted, final: null, variables: [] };
  }
}

self.addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<SharedParts>) => {
    if (port === undefined) return;
    begin(port, data).catch((cause: unknown) =>
      port.postMessage({
        kind: 'fatal',
        message: `Python could not start: ${String(cause)}`.slice(0, 4_000),
      }),
    );
  },
  { once: true },
);
