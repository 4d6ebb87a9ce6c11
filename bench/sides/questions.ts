/**
 * `questions.js ours|bare PROGRAM ENTRY`: the times of a sandbox in milliseconds. PROGRAM is Electron; ENTRY is the host
 * process as it is built for the app, or the bare one of bench/electron with Pyodide's folder after it.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostProcess } from '@main/adapters/sandbox/host-process';
import type { Sandbox } from '@main/core/ports/programs/sandbox';
import { say } from '../kit/say';

const ROUNDS = 200;
const CONTEXT_CHARS = 100_000_000;
const PART_CHARS = 1_000_000;
const CALL_MS = 100;
const BATCH = 32;

const [kind, program = '', ...args] = process.argv.slice(2);
const isRoot = process.getuid?.() === 0;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0;

async function median(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return quantile(times, 0.5);
}

function* documents(): Generator<string> {
  const part = 'The quick brown fox jumps over the lazy dog. '
    .repeat(PART_CHARS / 45 + 1)
    .slice(0, PART_CHARS);
  for (let chars = 0; chars < CONTEXT_CHARS; chars += PART_CHARS) yield part;
}

/** Round trips to another process while `work` is running. */
async function pings(work: Promise<unknown>): Promise<number> {
  const echo = fork(process.argv[1] ?? '', ['echo']);
  const times: number[] = [];
  let over = false;
  void work.finally(() => {
    over = true;
  });
  const ping = () =>
    timed(
      () =>
        new Promise((resolve) => {
          echo.once('message', resolve);
          echo.send('ping');
        }),
    );
  await ping();
  while (!over) {
    times.push(await ping());
    await sleep(1);
  }
  echo.disconnect();
  return quantile(times, 0.99);
}

async function ours(): Promise<void> {
  const sandboxes = new HostProcess({ electron: { program, args }, isRoot, spareMs: 600_000 });
  const options = {
    outputChars: 20_000,
    subcallChars: 500_000,
    batchSize: 1_000,
    memoryMb: 4_000,
    allowWeak: true,
  };
  const start = async (): Promise<Sandbox> => {
    const started = await sandboxes.start(options);
    if (!started.ok) throw new Error(started.error.message);
    return started.value;
  };
  const made: Sandbox[] = [];
  const cold = await timed(async () => made.push(await start()));
  await sandboxes.sparePid();
  const spare = await timed(async () => made.push(await start()));
  await sandboxes.sparePid();
  const [sandbox] = made;
  if (sandbox === undefined) throw new Error('no sandbox');
  const ask = async (prompts: readonly unknown[]) => prompts.map(() => ({ ok: true, text: 'answer' }));
  const slow = async (prompts: readonly unknown[]) => {
    await sleep(CALL_MS);
    return prompts.map(() => ({ ok: true, text: 'answer' }));
  };
  const run = (code: string, answer = ask) => sandbox.exec(code, { seconds: 120, ask: answer });
  await run('1');
  const exec = await median(ROUNDS, () => run('1'));
  const calls = await median(5, () => run(`for _ in range(${ROUNDS}): llm_query("x")`));
  const one = await median(5, () => run('llm_query("x")', slow));
  const batch = await median(5, () => run(`llm_query_batched(["x"] * ${BATCH})`, slow));
  const idle = await pings(sleep(3_000));
  const context = timed(() => sandbox.setContext(documents()));
  const busy = await pings(context);
  say({ start: cold, spare, exec, call: calls / ROUNDS, one, batch, context: await context, idle, busy });
  await sandboxes.stop();
}

interface Told {
  readonly kind: string;
}

/** Sends requests to the bare host and waits for its answers; sub-calls are answered at once. */
class Bare {
  #told: (message: Told) => void = () => undefined;

  constructor(private readonly child: ChildProcess) {
    child.on('message', (message: Told) => {
      if (message.kind === 'call') child.send({ kind: 'answer', text: 'answer' });
      else this.#told(message);
    });
  }

  next(): Promise<Told> {
    return new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  ask(message: object): Promise<Told> {
    const next = this.next();
    this.child.send(message);
    return next;
  }
}

async function bare(): Promise<void> {
  const began = performance.now();
  const switches = ['--ozone-platform=headless', ...(isRoot ? ['--no-sandbox'] : [])];
  const [entry = '', pyodide = ''] = args;
  const child = spawn(program, [entry, ...switches, pyodide], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const host = new Bare(child);
  await host.next();
  const start = performance.now() - began;
  const run = (code: string) => host.ask({ kind: 'exec', code });
  await run('1');
  const exec = await median(ROUNDS, () => run('1'));
  const calls = await median(5, () => run(`for _ in range(${ROUNDS}): host.call("x")`));
  const context = await timed(async () => {
    for (const text of documents()) await host.ask({ kind: 'context', text });
  });
  say({ start, exec, call: calls / ROUNDS, context });
  child.disconnect();
}

if (kind === 'echo') process.on('message', (message) => process.send?.(message));
else await (kind === 'ours' ? ours() : bare());
