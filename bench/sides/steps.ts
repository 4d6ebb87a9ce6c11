/**
 * `steps.mjs ours|limit chain|fan COUNT REPEATS FOLDER`: the milliseconds that runs of no-op steps take, each in a
 * new database, through the real engine, steps and store; or those of writing their rows with better-sqlite3 alone,
 * the chain's in the same transactions, the fan-out's in one.
 */
import { join } from 'node:path';
import { BenchCore } from '../kit/core';
import { RawWriter } from '../kit/raw';
import { recordTransactions } from '../kit/record';
import { say } from '../kit/say';
import { chain, fan } from '../kit/workflows';

const [side, shape, count = '', repeats = '', folder = ''] = process.argv.slice(2);
const definition = shape === 'chain' ? chain(Number(count)) : fan(Number(count));
const WARM_UP = 3;

async function times(run: (file: string) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < WARM_UP + Number(repeats); i += 1) all.push(await run(join(folder, `${side}-${i}.db`)));
  return all.slice(WARM_UP);
}

async function ours(file: string): Promise<number> {
  const core = new BenchCore(file);
  const started = performance.now();
  await core.run(definition);
  const taken = performance.now() - started;
  core.store.close();
  return taken;
}

async function limit(): Promise<number[]> {
  const recorder = join(folder, 'recorded.db');
  const recorded = await recordTransactions(
    () => new BenchCore(recorder),
    (core) => core.run(definition),
  );
  const transactions = shape === 'chain' ? recorded : [recorded.flat()];
  return times(async (file) => {
    // Makes the tables and the project that the rows refer to.
    new BenchCore(file).store.close();
    const raw = new RawWriter(file);
    const taken = raw.time(transactions);
    raw.close();
    return taken;
  });
}

say(side === 'ours' ? await times(ours) : await limit());
