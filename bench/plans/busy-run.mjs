import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { inFolder } from '../lib/side.mjs';
import { median, quantile, spread } from '../lib/statistics.mjs';
import { addProject, beginTeam, openApp, wait } from '../lib/team-app.mjs';

const MEMBERS = 8;
const MEASURE_MS = 6_000;
/** All members together stream about 170 pieces a second, a page of text in a few seconds. */
const PIECE = 24;
const PAUSE_MS = 47;
const MINUTE_MS = 60_000;

/** Prose, lists and code, as agents write them. */
const section = (number) => `## Part ${number}

I looked at \`src/parser-${number}.ts\` and the **three callers** of it. The parser keeps a position that is moved by
every rule, also where the rule does not match, so that the next one begins in the wrong place.

- the first rule reads a name and leaves the position behind it
- the second one reads \`=\` and a value, and gives up without a word
- the third one reads the end of the line

\`\`\`ts
export function rule${number}(text: string, from: number): number | null {
  const found = /^[a-z]+/.exec(text.slice(from));
  return found === null ? null : from + found[0].length;
}
\`\`\`

Next I will change the rule so that it gives back where it stopped, and look at what the tests say of it.

`;

const answer = Array.from({ length: 200 }, (_, index) => section(index + 1)).join('');
const streaming = JSON.stringify({
  default: { text: answer, stream: { chunk: PIECE, delay_ms: PAUSE_MS } },
});

/** In the page: the time between frames. */
const frames = `new Promise((resolve) => {
  const times = [];
  const began = performance.now();
  let last = null;
  const frame = (now) => {
    if (last !== null) times.push(now - last);
    last = now;
    if (now - began > ${MEASURE_MS}) resolve(times);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

async function look(app) {
  const busy = await app.ask('busy', { ms: MEASURE_MS });
  const p95 = quantile(await app.ask('page', { code: frames }), 0.95);
  return { p95, busy };
}

async function round(home) {
  const app = await openApp(join(home, 'data'));
  const projectId = await addProject(app, home, streaming);
  await app.ask('page', { code: "location.hash = '#/runs'" });
  await wait(4_000);
  const idle = await look(app);
  const runId = await beginTeam(app, { projectId, members: MEMBERS });
  await app.ask('page', { code: `location.hash = '#/run/${runId}'` });
  const began = performance.now();
  await wait(4_000);
  const early = await look(app);
  await wait(MINUTE_MS - (performance.now() - began));
  const late = await look(app);
  await app.end();
  return { idle, early, late };
}

const percent = (share) => `${Math.round(share * 100)} %`;
const parts = ({ script, style, layout }) =>
  `script ${percent(script)}, style ${percent(style)}, layout ${percent(layout)}`;

export const busyRun = {
  name: 'busy-run',
  async run({ quick }) {
    const frame = {
      what: `frame time p95 in Runs, ${MEMBERS} members streaming, against idle`,
      goal: { atMost: 1.25 },
    };
    const share = {
      what: `the page's main thread, ${MEMBERS} members streaming in Runs`,
      goal: { atMost: 0.5 },
    };
    if (!existsSync(join(root, 'out', 'main', 'startup', 'main.cjs'))) {
      return [frame, share].map((row) => ({ ...row, missing: 'the app is not built: npm run build' }));
    }
    const rounds = [];
    for (let index = 0; index < (quick ? 1 : 3); index += 1) rounds.push(await inFolder(round));
    const load = `load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`;
    return ['early', 'late'].flatMap((when) => {
      const name = when === 'early' ? 'in the first seconds' : 'after a minute of text';
      const p95 = rounds.map((one) => one[when].p95);
      const idle = rounds.map((one) => one.idle.p95);
      const ratios = p95.map((time, index) => time / idle[index]);
      const shares = rounds.map((one) => one[when].busy.all);
      return [
        {
          ...frame,
          what: `${frame.what}, ${name}`,
          ours: `${spread(p95, 1)} ms`,
          limit: `${spread(idle, 1)} ms`,
          ratio: median(ratios),
          ratios: spread(ratios),
          note: `${load}.`,
        },
        {
          ...share,
          what: `${share.what}, ${name}`,
          ours: shares.map(percent).join(', '),
          limit: 'all of the time',
          ratio: median(shares),
          ratios: spread(shares),
          note: `${rounds.map((one) => parts(one[when].busy)).join('; ')}.`,
        },
      ];
    });
  },
};
