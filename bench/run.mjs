/**
 * `npm run bench [-- --help]`: the cost of Muster compared with the limits of the machine,
 * SQLite and Electron, as ratios within one run. It is not part of the tests: a missed ratio fails only this
 * command.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { bundleSides } from './lib/bundle.mjs';
import { closeDisplay } from './lib/electron.mjs';
import { tableOf, verdictOf, writeReport } from './lib/report.mjs';
import { backup } from './plans/backup.mjs';
import { busyRun } from './plans/busy-run.mjs';
import { bytes } from './plans/bytes.mjs';
import { canvas } from './plans/canvas.mjs';
import { language } from './plans/language.mjs';
import { load } from './plans/load.mjs';
import { operator } from './plans/operator.mjs';
import { outputs } from './plans/outputs.mjs';
import { questions } from './plans/questions.mjs';
import { ralph } from './plans/ralph.mjs';
import { feed, search, size } from './plans/reading.mjs';
import { recovery } from './plans/recovery.mjs';
import { review } from './plans/review.mjs';
import { seek } from './plans/seek.mjs';
import { steps } from './plans/steps.mjs';
import { syncs } from './plans/syncs.mjs';
import { teamsFirstOpening, teamsMemory, teamsOpening, teamsParked, teamsResult } from './plans/teams.mjs';
import {
  terminalsHidden,
  terminalsLoop,
  terminalsReattach,
  terminalsShown,
  terminalsTyping,
} from './plans/terminals.mjs';
import { feedscroll, start } from './plans/window.mjs';

const plans = [
  steps,
  syncs,
  bytes,
  recovery,
  seek,
  canvas,
  language,
  outputs,
  feed,
  search,
  size,
  backup,
  start,
  feedscroll,
  load,
  busyRun,
  terminalsHidden,
  terminalsShown,
  terminalsTyping,
  terminalsReattach,
  terminalsLoop,
  teamsResult,
  teamsOpening,
  teamsFirstOpening,
  teamsMemory,
  teamsParked,
  ralph,
  questions,
  operator,
  review,
];
const names = plans.map(({ name }) => name).join(', ');

const USAGE = `usage: npm run bench [-- --only NAME]... [-- --quick] [-- --loaded]

  --only NAME  only this one of: ${names}
  --quick      smaller databases and fewer rounds than the goals are meant for
  --loaded     measure although other programs use the processors`;
/** Above this load average of the last minute other programs take part in every figure. */
const QUIET_LOAD = 0.5;

const { values } = options();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = values.only?.find((name) => !plans.some((plan) => plan.name === name));
if (unknown !== undefined) {
  console.error(`bench: there is no bench "${unknown}"; there are ${names}`);
  process.exit(2);
}

const [busy] = loadavg();
if (busy > QUIET_LOAD && !values.loaded) {
  console.error(
    `bench: the load of the last minute is ${busy.toFixed(2)}, above ${QUIET_LOAD}: end other programs and wait, or give --loaded`,
  );
  process.exit(2);
}

const side = await bundleSides();
const rows = [];
for (const plan of plans) {
  if (values.only !== undefined && !values.only.includes(plan.name)) continue;
  const started = performance.now();
  console.log(`bench: ${plan.name}`);
  try {
    rows.push(...(await plan.run({ side, quick: values.quick })));
  } catch (error) {
    rows.push({
      what: plan.name,
      missing: String(error instanceof Error ? error.message : error).split('\n')[0],
    });
    console.error(error);
  }
  console.log(`bench: ${plan.name} took ${Math.round((performance.now() - started) / 1000)} s`);
}
await closeDisplay();
const files = writeReport(rows, values);
console.log(`\n${tableOf(rows)}\n\nbench: written to ${files.markdown} and ${files.json}`);
process.exitCode = rows.some((row) => verdictOf(row) === 'MISSED') ? 1 : 0;

function options() {
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({
      options: { only: { type: 'string', multiple: true }, quick: flag, loaded: flag, help: flag },
    });
  } catch (error) {
    console.error(`bench: ${error.message}\n${USAGE}`);
    return process.exit(2);
  }
}
