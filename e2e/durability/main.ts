/** `main.js KILLS SEED`: runs the harness beside its bundles and prints what it found; ends with 1 if a promise was broken. */
import { join } from 'node:path';
import { type Findings, Harness } from './harness';
import { LIMIT_MS } from './marks';

const [kills = '300', seed = String(Math.floor(Math.random() * 1_000_000))] = process.argv.slice(2);

const folder = import.meta.dirname;
const harness = new Harness({
  kills: Number(kills),
  seed: Number(seed),
  coreFile: join(folder, 'core.js'),
  processDir: folder,
  say: (line) => console.log(`durability: ${line}`),
});
console.log(`durability: ${kills} kills, seed ${seed}`);
const findings = await harness.run();
print(findings);
const broken = Object.values(findings.broken).flat();
for (const line of broken.slice(0, 40)) console.log(`durability: BROKEN: ${line}`);
process.exit(broken.length > 0 ? 1 : 0);

function print({ broken, killsAt, runs, ...found }: Findings): void {
  const outcomes = Object.entries(runs).map(([outcome, count]) => `${count} ${outcome}`);
  const lines = [
    `${found.kills} kills with -9 in ${Math.round(found.seconds)} s: ${killsAt.start} while it started, ${killsAt.event} right after an event was told, ${killsAt.anytime} at any time`,
    `runs: ${outcomes.join(', ')}; ${found.stepsFinished} steps finished, ${found.commandsInterrupted} commands and ${found.turnsInterrupted} turns interrupted`,
    `events: ${found.events}, of them ${found.acknowledged} acknowledged to the witness`,
    `acknowledged events lost: ${broken.eventsLost.length}`,
    `half transactions: ${broken.halves.length}`,
    `finished steps run again: ${broken.stepsAgain.length}`,
    `waiting gates or answers lost: ${broken.gatesLost.length} (gates seen waiting after a kill: ${found.gatesSeenAgain}; answers taken: ${found.answersTaken})`,
    `marked processes alive after ${LIMIT_MS / 1000} s: ${broken.marksAlive.length} (the longest lived ${(found.longestMarkMs / 1000).toFixed(1)} s)`,
    `runs that did not come to their end: ${broken.runsNotEnded.length}`,
  ];
  for (const line of lines) console.log(`durability: ${line}`);
}
