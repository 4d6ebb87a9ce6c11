/**
 * `steps.mjs ours|limit chain|fan COUNT REPEATS FOLDER`: how long runs of no-op steps take through the real engine,
 * steps and store, or their rows written with nothing but better-sqlite3. Prints the milliseconds of each run.
 */
import { join } from 'node:path';
import { EngineBench } from '../kit/engine';
import { chain, fan } from '../kit/workflows';
import { say } from '../kit/say';
import { RawWriter } from '../kit/raw';
import { recordTransactions } from '../kit/record';

const [side, shape, count = '200', repeats = '5', folder = '.'] = process.argv.slice(2);
const steps = Number(count);
const definition = shape === 'chain' ? chain(steps) : fan(steps);
const WARM_UP = 3;

async function ours(): Promise<number[]> {
  const bench = EngineBench.open(join(folder, 'ours.db'));
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + Number(repeats); i += 1) {
    const started = performance.now();
    await bench.run(definition);
    times.push(performance.now() - started);
  }
  bench.close();
  return times.slice(WARM_UP);
}

async function limit(): Promise<number[]> {
  const recorded = await recordTransactions(join(folder, 'recorded.db'), definition);
  const transactions = shape === 'chain' ? recorded : [recorded.flat()];
  const raw = new RawWriter(join(folder, 'raw.db'));
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + Number(repeats); i += 1) {
    const prepared = raw.prepare(transactions, i);
    const started = performance.now();
    raw.write(prepared);
    times.push(performance.now() - started);
  }
  raw.close();
  return times.slice(WARM_UP);
}

say(await (side === 'ours' ? ours() : limit()));
