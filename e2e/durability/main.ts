/** `main.js JSON`: runs the harness beside its bundles and prints what it found; ends with 1 if a promise was broken. */
import { join } from 'node:path';
import { z } from 'zod';
import { type Findings, promised } from './findings';
import { Harness } from './harness';

const wanted = z
  .object({
    kills: z.number().int().positive(),
    seed: z.number().int(),
    kinds: z.array(z.string()),
    keep: z.boolean(),
    resourcesDir: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));
const { kills, seed, kinds, keep, resourcesDir } = wanted;

const folder = import.meta.dirname;
const say = (line: string) => console.log(`durability: ${line}`);
const harness = new Harness({
  kills,
  seed,
  kinds,
  keep,
  say,
  coreFile: join(folder, 'core.js'),
  terminalsFile: join(folder, 'terminals.js'),
  places: { processDir: folder, resourcesDir },
});
say(`${kills} kills, seed ${seed}`);
const findings = await harness.run();
print(findings);
const broken = promised.flatMap(([name]) => findings.broken[name].map((line) => `${name}: ${line}`));
for (const line of broken.slice(0, 60)) say(`BROKEN: ${line}`);
process.exit(broken.length > 0 ? 1 : 0);

function print({ killsAt, runs, counts, done, refused, ...found }: Findings): void {
  const list = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none';
  const of = (type: string) => counts[type] ?? 0;
  const lines = [
    `${found.kills} kills with -9 in ${Math.round(found.seconds)} s: ${killsAt.start} while it started, ${killsAt.event} right after an event was told, ${killsAt.effect} while its effect was at work, ${killsAt.anytime} at any time, ${killsAt.aimed} aimed at what was hit least`,
    `killed beside it while it went on: ${list(found.partsKilled)}; failed runs resumed ${found.resumed} times; checkouts settled: ${found.settled}`,
    `killed in the middle of: ${list(found.killedIn)}; scopes: ${of('scope.opened')} opened, ${of('scope.ended')} ended; skips: ${of('step.skipped')}`,
    `runs: ${list(runs)}; ${found.stepsFinished} steps finished, ${found.commandsInterrupted} commands and ${found.turnsInterrupted} turns interrupted`,
    `events: ${found.events}, of them ${found.acknowledged} acknowledged to the witness`,
    `turns: ${of('turn.dispatched')} sent, ${of('turn.finished')} finished; captures: ${of('capture.started')}; sessions: ${of('session.starting')} started, ${of('session.resuming')} resumed`,
    `teams: ${of('team.message')} messages, ${of('team.delivered')} deliveries, ${of('team.result')} results, ${of('team.merge-requested')} merges asked for, ${of('team.merged')} made, ${of('team.merge-failed')} not made`,
    `the operator: ${found.wordsTaken} words taken (${found.promptsCutOff} prompts cut off in flight and left to the operator); ${list(done)}`,
    `refused: ${list(refused)}`,
    `gates seen waiting after a kill: ${found.gatesSeenAgain}; answers taken: ${found.answersTaken}; the longest lived process: ${(found.longestMarkMs / 1000).toFixed(1)} s`,
    ...promised.map(([name, what]) => `${what}: ${found.broken[name].length}`),
  ];
  for (const line of lines) say(line);
}
