import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../../tools/lib/run.mjs';
import { inFolder, runSide } from '../lib/side.mjs';

const SHAPES = [
  { what: 'syncs per step, chain of 200', shape: 'chain', count: 200, goal: { atMost: 1.05 } },
  { what: 'syncs per step, fan-out of 100', shape: 'fan', count: 100, goal: { atMost: 0.1 } },
];
const RUNS = 5;

/** The number of sync system calls, from strace's summary of the process. */
const syncsOf = (side, { shape, count }, runs) =>
  inFolder(async (folder) => {
    const summary = join(folder, 'strace');
    const before = ['-f', '-c', '-e', 'trace=fsync,fdatasync', '-o', summary, process.execPath];
    await runSide(side('steps'), ['ours', shape, count, 0, runs, folder], { command: 'strace', before });
    return readFileSync(summary, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => /^(fsync|fdatasync)$/.test(columns.at(-1)))
      .reduce((sum, columns) => sum + Number(columns[3]), 0);
  });

export const syncs = {
  name: 'syncs',
  async run({ side }) {
    if (!onPath('strace')) return SHAPES.map(({ what, goal }) => ({ what, goal, missing: 'no strace here' }));
    const rows = [];
    for (const { what, shape, count, goal } of SHAPES) {
      const more = await syncsOf(side, { shape, count }, RUNS);
      const fewer = await syncsOf(side, { shape, count }, 0);
      const ratio = (more - fewer) / (RUNS * count);
      rows.push({
        what,
        ours: `${more - fewer} syncs`,
        limit: `${RUNS * count} steps`,
        ratio,
        goal,
        note: 'fsync and fdatasync together, counted by strace; opening and closing the store are taken off.',
      });
    }
    return rows;
  },
};
