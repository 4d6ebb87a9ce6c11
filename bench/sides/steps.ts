/**
 * `steps.js ours|limit chain|fan|items COUNT WARM_UP REPEATS FOLDER`: the milliseconds that each of several runs of no-op steps
 * takes through the real engine, steps and store; or that writing their rows takes with better-sqlite3 alone, one
 * statement for a row, the chain's in the same transactions, the fan-out's in one.
 */
import { join } from 'node:path';
import { BenchCore } from '../kit/core';
import { RawWriter } from '../kit/raw';
import { recording } from '../kit/record';
import { say } from '../kit/say';
import { chain, fan, items } from '../kit/workflows';

const [side, shape, count = '', warmUp = '', repeats = '', folder = ''] = process.argv.slice(2);
const shapes: Readonly<Record<string, typeof chain>> = { chain, fan, items };
const definition = (shapes[shape ?? ''] ?? chain)(Number(count));
const runs = Array.from({ length: Number(warmUp) + Number(repeats) }, (_, index) => index);

async function ours(): Promise<number[]> {
  const core = new BenchCore(join(folder, 'ours.db'));
  const times: number[] = [];
  for (const _ of runs) {
    const started = performance.now();
    await core.run(definition);
    times.push(performance.now() - started);
  }
  core.store.close();
  return times;
}

async function limit(): Promise<number[]> {
  const { opened: core, recorder } = recording(() => new BenchCore(join(folder, 'recorded.db')));
  recorder.take();
  const recorded = [];
  for (const _ of runs) {
    await core.run(definition);
    recorded.push(recorder.take());
  }
  core.store.close();
  // The tables, and the project that the rows refer to.
  new BenchCore(join(folder, 'raw.db')).store.close();
  const raw = new RawWriter(join(folder, 'raw.db'));
  const times = recorded.map((run) => raw.time(shape === 'chain' ? run : [run.flat()]));
  raw.close();
  return times;
}

const times = await (side === 'ours' ? ours() : limit());
say(times.slice(Number(warmUp)));
