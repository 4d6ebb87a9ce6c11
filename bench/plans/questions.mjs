import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { buildSandboxHost } from '../../tools/lib/sandbox-page.mjs';
import { interleaved } from '../lib/compare.mjs';
import { inFolder, runSide } from '../lib/side.mjs';
import { median, spread } from '../lib/statistics.mjs';

const ms = (values) => `${spread(values, 2)} ms`;

/** A row with one figure: ours against a limit of the same round. */
function row(what, pairs, { atMost, note }) {
  const ours = pairs.map(([one]) => one);
  const limit = pairs.map(([, other]) => other);
  const ratio = median(pairs.map(([one, other]) => one / other));
  return { what, ours: ms(ours), limit: ms(limit), ratio, goal: { atMost }, ...(note && { note }) };
}

export const questions = {
  name: 'questions',
  run: ({ side, quick }) =>
    inFolder(async (folder) => {
      await buildSandboxHost({ root, out: folder });
      const electron = modules('electron');
      const program = join(electron, 'dist', readFileSync(join(electron, 'path.txt'), 'utf8').trim());
      const entry = join(folder, 'main', 'startup', 'sandbox-host.cjs');
      const bareEntry = join(root, 'bench', 'electron', 'bare-pyodide.cjs');
      const taken = await interleaved(
        quick ? 3 : 7,
        {
          ours: () => runSide(side('questions'), ['ours', program, entry]),
          limit: () => runSide(side('questions'), ['bare', program, bareEntry, modules('pyodide')]),
        },
        (ours, limit) => ours.start / limit.start,
      );
      const against = (name, other = name) =>
        taken.ours.map((ours, round) => [ours[name], taken.limit[round][other]]);
      const within = (name, other) => taken.ours.map((ours) => [ours[name], ours[other]]);
      return [
        row('cold start of a sandbox, against bare Pyodide in such a renderer', against('start'), {
          atMost: 1.5,
          note: 'both from the start of an Electron process to a Python that is ready.',
        }),
        row('start of a sandbox from the warm spare, against the same', against('spare', 'start'), {
          atMost: 0.1,
        }),
        row('round trip of a block, against bare', against('exec'), { atMost: 2 }),
        row('round trip of a sub-call, against bare', against('call'), { atMost: 2 }),
        row('a batch of 32 sub-calls of 100 ms, against one', within('batch', 'one'), {
          atMost: 1.3,
          note: 'all under way at once; a question asks 16 at once unless its limits say otherwise.',
        }),
        row('100 MB of documents into the sandbox, against bare', against('context'), { atMost: 2 }),
        row('99th percentile of IPC of the core meanwhile, against idle', within('busy', 'idle'), {
          atMost: 2,
        }),
      ];
    }),
};
