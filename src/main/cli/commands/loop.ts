import { appError } from '@contract/errors';
import { own } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import { findGate, findRun } from '../address';
import { type Call, type Context, command } from '../command';
import { EXIT, type ExitCode } from '../exit';
import { attemptTable, loopTable } from '../output/loop-table';
import { withCore } from '../with-core';
import { approveCommand } from './answer';
import { ralphCommand, ralphFlags } from './ralph';
import { cancelCommand, resumeCommand } from './steer';

const BY = 'command line';

const flags = {
  ...ralphFlags,
  text: { value: 'TEXT', help: 'continue, resume: what the next worker is told' },
  wait: { help: 'continue, skip, resume: follow the run to its end, through further gates' },
  detach: { help: 'continue, skip, resume: where no Muster is running, let one in the background go on' },
  all: { help: 'list: the last 1000 instead of the last 40' },
} as const;
type LoopCall = Call<typeof flags>;
type Act = (context: Context, call: LoopCall) => Promise<Result<ExitCode>>;

export const loopCommand = command({
  name: 'loop',
  summary: 'Starts, watches, lists, shows and steers loops over the stories of a prd.json.',
  words: 'start FOLDER|watch FOLDER|list|show RUN|pause RUN|stop RUN|resume RUN|continue RUN|skip RUN',
  least: 1,
  most: 2,
  heedsStop: true,
  more: [
    '`start` and `watch` take the flags of `muster ralph`. `pause` lets the loop wait for you after the iteration that',
    'goes on; `continue` and `skip` answer it when it waits. `resume` goes on with a loop that has failed or was stopped.',
  ].join('\n'),
  flags,
  async run(context, call) {
    const [verb = '', place] = call.words;
    const act = own(ACTS, verb);
    if (act !== undefined && (place === undefined) === (verb === 'list')) return act(context, call);
    return err(
      appError('input.invalid', `loop: "${call.words.join(' ')}" is nothing to do`, {
        mend: 'one of: start FOLDER, watch FOLDER, list, and show, pause, stop, resume, continue, skip with a RUN',
      }),
    );
  },
});

const placeOf = ({ words }: LoopCall): string[] => words.slice(1);

const answer =
  (option: 'continue' | 'skip'): Act =>
  async (context, call) => {
    const { text, wait, detach } = call.flags;
    const opened = await context.open({ mode: 'reading' });
    if (!opened.ok) return opened;
    const found = await findGate(opened.value, placeOf(call)[0] ?? '');
    if (!found.ok) return found;
    const { run, gate } = found.value;
    // What goes on after a second failure has another name at its gate.
    const wanted = option === 'continue' && gate.kind === 'iteration_failed' ? 'resume' : option;
    return approveCommand.run(context, {
      words: [`${run.id}/${gate.gateId}`],
      flags: { option: wanted, text, wait, detach },
    });
  };

const ACTS: Readonly<Record<string, Act>> = {
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
    if (loops.length === 0)
      return err(appError('not_found', `run ${row.value.id} has no loop that has begun`));
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
      if (live.length === 0)
        return err(appError('run.finished', `run ${row.value.id} has no loop that could be paused`));
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
};
