import { inFolder, runSide } from '../lib/side.mjs';

const SHAPES = [
  { what: 'step of a chain of 200', shape: 'chain', count: 200, goal: { atMost: 16 } },
  { what: 'step of a fan-out of 100', shape: 'fan', count: 100, goal: { atMost: 2 } },
];
/** So few that the log is not restarted meanwhile. */
const RUNS = 3;

const disk = ({ diskBytes }, steps) =>
  diskBytes === null ? '' : `${(diskBytes / steps / 1024).toFixed(1)} KiB on the disk, in whole blocks; `;

/**
 * What a step writes to the write-ahead log, by table and index. It counts pages, so other load does not change it.
 */
export const bytes = {
  name: 'bytes',
  async run({ side }) {
    const rows = [];
    for (const { what, shape, count, goal } of SHAPES) {
      const found = await inFolder((folder) => runSide(side('pages'), [shape, count, RUNS, folder]));
      const steps = RUNS * count;
      const frames = Object.values(found.frames).reduce((sum, some) => sum + some, 0);
      const written = (frames * found.frameBytes) / steps / 1024;
      const each = Object.entries(found.frames).map(([name, some]) => `${name} ${(some / steps).toFixed(2)}`);
      rows.push({
        what: `KiB in the log, ${what}`,
        ours: `${written.toFixed(1)} KiB`,
        limit: `${(found.eventBytes / steps / 1024).toFixed(2)} KiB of events`,
        ratio: written,
        goal,
        note: `${disk(found, steps)}${(found.commits / steps).toFixed(2)} commits and ${(found.events / steps).toFixed(1)} events a step; frames of ${found.frameBytes} bytes a step: ${each.join(', ')}.`,
      });
    }
    return rows;
  },
};
