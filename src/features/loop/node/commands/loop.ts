import { approveCommand } from '@areas/gates/node/commands/answer';
import { cancelCommand, resumeCommand } from '@areas/runs/node/commands/cancel-and-resume';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findGate, findRun } from '@main/cli/address';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Call, Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { withCore } from '@main/cli/running/with-core';
import { logFlags, showLog } from './loop-log';
import { ralphCommand, ralphFlags } from './ralph';
import { attemptTable, loopTable } from './table';

const BY = 'command line';

const flags = {
  ...ralphFlags,
  text: { value: 'TEXT', help: 'continue, resume: a hint for the next worker' },
  wait: { help: 'continue, skip, resume: follow the run to its end, through further gates' },
  detach: { help: 'continue, skip, resume: if no Muster is running, let one in the background continue' },
  ...logFlags,
  all: { help: 'list: the last 1000 loops instead of 40' },
} as const;
type LoopCall = Call<typeof flags>;
type Act = (context: Context, call: LoopCall) => Promise<Result<ExitCode>>;

const placeOf = ({ words }: LoopCall): string[] => words.slice(1, 2);

const answer =
  (option: 'continue' | 'skip'): Act =>
  async (context, call) => {
    const { text, wait, detach } = call.flags;
    const opened = await context.open({ mode: 'reading' });
    if (!opened.ok) return opened;
    const found = await findGate(opened.value, placeOf(call)[0] ?? '');
    if (!found.ok) return found;
    const { run, gate } = found.value;
    // Continuing after a second failure is another option at its gate.
    const wanted = option === 'continue' && gate.kind === 'iteration_failed' ? 'resume' : option;
    return approveCommand.run(context, {
      words: [`${run.id}/${gate.gateId}`],
      flags: { option: wanted, text, wait, detach },
    });
  };

const ACTS = {
  start: (context, call) =>
    ralphCommand.run(context, { words: placeOf(call), flags: { ...call.flags, watch: false } }),
  watch: (context, call) =>
    ralphCommand.run(context, { words: placeOf(call), flags: { ...call.flags, watch: true } }),
  stop: (context, call) =>
    cancelCommand.run(context, { words: placeOf(call), flags: { 'no-wait': call.flags['no-wait'] } }),
  resume: (context, call) => {
    const { text: hint, wait, detach, 'no-wait': noWait } = call.flags;
    return resumeCommand.run(context, {
      words: placeOf(call),
      flags: { hint, wait, detach, 'no-wait': noWait },
    });
  },
  continue: answer('continue'),
  skip: answer('skip'),
  async list(context, { flags: { all } }) {
    const opened = await context.open({ mode: 'reading' });
    if (!opened.ok) return opened;
    const listed = await ask(opened.value, 'loop.list', { limit: all ? 1_000 : 40 });
    if (!listed.ok) return listed;
    const { out } = context;
    out.document({ loops: listed.value.rows }, () => loopTable(listed.value.rows, out.style, out.width));
    return ok(EXIT.ok);
  },
  async show(context, call) {
    const opened = await context.open({ mode: 'reading' });
    if (!opened.ok) return opened;
    const row = await findRun(opened.value, placeOf(call)[0] ?? '');
    if (!row.ok) return row;
    const run = await ask(opened.value, 'run.get', { runId: row.value.id });
    if (!run.ok) return run;
    const { state } = run.value;
    const loops = Object.values(state.loops);
    if (loops.length === 0) return fail('not_found', `run ${row.value.id} has no loop that has started`);
    const { out } = context;
    out.document({ run: row.value, loops }, () =>
      loops.flatMap((loop) => attemptTable({ state, loop }, out.style, out.width)),
    );
    return ok(EXIT.ok);
  },
  async pause(context, call) {
    const done = await withCore(context, { mode: 'attached' }, async (link) => {
      const row = await findRun(link, placeOf(call)[0] ?? '');
      if (!row.ok) return row;
      const run = await ask(link, 'run.get', { runId: row.value.id });
      if (!run.ok) return run;
      const { loops, activations } = run.value.state;
      const live = Object.values(loops).filter(
        ({ activationId, watch }) => watch === null && activations[activationId]?.status === 'running',
      );
      if (live.length === 0) return fail('run.finished', `run ${row.value.id} has no loop to pause`);
      for (const { activationId } of live) {
        const paused = await ask(link, 'loop.pause', { runId: row.value.id, activationId, by: BY });
        if (!paused.ok) return paused;
      }
      return ok(row.value.id);
    });
    if (!done.ok) return done;
    const runId = done.value.value;
    context.out.document({ runId, pauses: true }, () => [
      `The loop of run ${runId} will wait for you after this iteration.`,
    ]);
    return ok(EXIT.ok);
  },
  log: showLog,
  async runner(context, call) {
    const pid = Number(call.words[2]);
    if (!Number.isSafeInteger(pid) || pid < 1)
      return fail('input.invalid', `"${call.words[2] ?? ''}" is not a process id`);
    const done = await withCore(context, { mode: 'attached' }, async (link) => {
      const found = await watchedLoop(link, placeOf(call)[0] ?? '');
      if (!found.ok) return found;
      const named = await ask(link, 'loop.nameRunner', { ...found.value, pid });
      return named.ok ? ok(found.value.runId) : named;
    });
    if (!done.ok) return done;
    const runId = done.value.value;
    context.out.document({ runId, pid }, () => [`Run ${runId} watches process ${pid} from now on.`]);
    return ok(EXIT.ok);
  },
} satisfies Record<string, Act>;

async function watchedLoop(
  link: Link,
  name: string,
): Promise<Result<{ runId: number; activationId: number }>> {
  const row = await findRun(link, name);
  if (!row.ok) return row;
  const run = await ask(link, 'run.get', { runId: row.value.id });
  if (!run.ok) return run;
  const loop = Object.values(run.value.state.loops).findLast(({ watch }) => watch !== null);
  return loop === undefined
    ? fail('not_found', `run ${row.value.id} watches no loop`)
    : ok({ runId: row.value.id, activationId: loop.activationId });
}

export const loopCommand = verbCommand({
  name: 'loop',
  summary: 'Starts, watches, lists, shows and steers loops over the stories of a prd.json.',
  words: 'VERB [FOLDER|RUN] [...]',
  heedsStop: true,
  more: [
    '`start` and `watch` take the flags of `muster ralph`. `pause` lets the loop wait for you after the current',
    'iteration; `continue` and `skip` answer it. `resume` continues a failed or stopped loop.',
  ].join('\n'),
  flags,
  verbs: {
    start: { words: 'FOLDER', help: 'start a loop, with the flags of muster ralph', run: ACTS.start },
    watch: { words: 'FOLDER', help: 'watch a running ralph.sh', run: ACTS.watch },
    list: { words: '', help: 'the last loops', run: ACTS.list },
    show: { words: 'RUN', help: 'the attempts of a loop and their cost', run: ACTS.show },
    log: { words: 'RUN [N]', help: 'a log of attempt N (default: the last)', run: ACTS.log },
    pause: { words: 'RUN', help: 'wait for you after this iteration', run: ACTS.pause },
    stop: { words: 'RUN', help: 'cancel it', run: ACTS.stop },
    resume: { words: 'RUN', help: 'resume a failed or stopped loop', run: ACTS.resume },
    continue: { words: 'RUN', help: 'continue a loop that waits for you', run: ACTS.continue },
    skip: { words: 'RUN', help: 'skip the story of a loop that waits for you', run: ACTS.skip },
    runner: { words: 'RUN PID', run: ACTS.runner, help: 'name the process that runs a watched loop' },
  },
});
