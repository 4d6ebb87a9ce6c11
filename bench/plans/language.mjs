import { steady } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

const ROWS = [
  {
    name: 'check',
    what: 'checking a workflow of 500 steps with references and conditions',
    goal: { atMost: 2 },
    rounds: 30,
    note: 'against parsing its YAML alone; the check reads the file, parses it and makes the plan.',
  },
  {
    name: 'check-growth',
    what: 'checking 5,000 steps',
    goal: { atMost: 12 },
    rounds: 9,
    note: 'against checking 500.',
  },
  {
    name: 'conditions',
    what: 'chain of 200 no-op steps with a condition on every step',
    goal: { atMost: 1.1 },
    rounds: 30,
    note: 'against the same chain without conditions, through the real engine and store; each the best of six in a round.',
  },
  {
    name: 'items',
    what: 'an item of a fan-out of 2,000',
    goal: { atMost: 1.2 },
    rounds: 5,
    note: 'against an item of a fan-out of 200; each has one no-op step in a scope of its own.',
  },
  {
    name: 'passes',
    what: 'a pass near the 1,000th of a loop',
    goal: { atMost: 1.3 },
    rounds: 5,
    note: 'against a pass near the 10th of the same loop; medians of 30 passes.',
  },
  {
    name: 'expand',
    what: 'expanding 10 MB of outputs',
    goal: { atMost: 3 },
    rounds: 30,
    note: 'against joining the same texts.',
  },
];

/** The cost of the workflow language, each compared with the necessary minimum. */
export const language = {
  name: 'language',
  async run({ side, quick }) {
    const rows = [];
    for (const { name, rounds, ...row } of ROWS) {
      const { ours, limit } = steady(
        await inFolder((folder) =>
          runSide(side('language'), [name, quick ? Math.ceil(rounds / 5) : rounds, folder]),
        ),
      );
      const ratios = ours.map((ms, index) => ms / limit[index]);
      const shown = (times) => `${spread(times, median(times) < 1 ? 3 : 1)} ms`;
      rows.push({
        ...row,
        ours: shown(ours),
        limit: shown(limit),
        ratio: median(ratios),
        ratios: spread(ratios),
      });
    }
    return rows;
  },
};
