import { fail, ok, type Result } from '@contract/result';
import type { RunStatus } from '@contract/run/state';
import { ask } from '@main/api/core-service';
import { findRun, seqOf } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';

const BY = 'command line';
/**
 * Runs that continue by themselves only need to be loaded; others are resumed, which answers a loop that
 * failed twice.
 */
const GOES_ON: ReadonlySet<RunStatus> = new Set(['running', 'limited', 'cancelling']);

export const cancelCommand = command({
  name: 'cancel',
  summary: 'Cancels a run and ends everything that works for it.',
  words: 'RUN',
  least: 1,
  most: 1,
  heedsStop: true,
  flags: { 'no-wait': { help: 'return at once; needs a running Muster' } },
  async run(context, { words, flags }) {
    const mode = flags['no-wait'] ? 'attached' : 'working';
    const cancelled = await withCore(context, { mode }, (link, again) => cancel(link, words[0] ?? '', again));
    if (!cancelled.ok) return cancelled;
    const { link, value } = cancelled.value;
    const { runId, afterSeq } = value;
    if (flags['no-wait']) {
      context.out.document({ runId, status: 'cancelling' }, () => [`Run ${runId} is being cancelled.`]);
      return ok(EXIT.ok);
    }
    const ending = await waitForRun(context, { link, runId, throughGates: true, afterSeq });
    // It was to be cancelled, so this is no failure.
    return ending.ok && ending.value === EXIT.cancelled ? ok(EXIT.ok) : ending;
  },
});

export const resumeCommand = command({
  name: 'resume',
  summary: 'Resumes a run that was parked, interrupted or cancelled, or that failed.',
  words: 'RUN',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'Finished steps are not repeated; the interrupted turn is sent again in its session. A loop continues with its next',
    'attempt, whose worker gets the hint.',
  ].join('\n'),
  flags: {
    hint: { value: 'TEXT', help: 'a hint for the next worker of a loop' },
    'no-wait': { help: 'exit with code 6 when only gates remain; the default without --wait' },
    wait: { help: 'follow the run to its end, through gates, even if another Muster works on it' },
    detach: { help: 'if no Muster is running, let one in the background continue the run' },
  },
  async run(context, { words, flags }) {
    if (flags.wait && flags['no-wait'])
      return fail('input.invalid', '--wait and --no-wait cannot be combined');
    const hint = flags.hint?.trim();
    if (hint === '') return fail('input.invalid', '--hint needs a text');
    const mode = flags.detach ? 'background' : 'working';
    const begun = await withCore(context, { mode }, (link) => resume(link, words[0] ?? '', hint));
    if (!begun.ok) return begun;
    const { link, value } = begun.value;
    const { runId, underWay, afterSeq } = value;
    if (link.kind === 'attached' && !flags.wait) {
      context.out.document({ runId, hostedBy: link.pid }, () => [
        `Run ${runId} ${underWay ? 'is already running' : 'continues'} in process ${link.pid}.`,
      ]);
      return ok(EXIT.ok);
    }
    return waitForRun(context, { link, runId, throughGates: flags.wait, afterSeq });
  },
});

interface Steered {
  readonly runId: number;
  readonly afterSeq: number;
}

/** Cancels a run. */
async function cancel(link: Link, name: string, again: boolean): Promise<Result<Steered>> {
  const row = await findRun(link, name);
  if (!row.ok) return row;
  const { id: runId, status } = row.value;
  await link.takeUp([runId]);
  const before = await seqOf(link, runId);
  if (!before.ok) return before;
  // The core that was asked first did it.
  const done = again && status === 'cancelled';
  const cancelled = done ? ok({}) : await ask(link, 'run.cancel', { runId, by: BY });
  return cancelled.ok ? ok({ runId, afterSeq: before.value }) : cancelled;
}

interface Resumed extends Steered {
  /** It was already running. */
  readonly underWay: boolean;
}

/** Continues a run, or finds it running: repeated requests take effect once. */
async function resume(link: Link, name: string, hint: string | undefined): Promise<Result<Resumed>> {
  const row = await findRun(link, name);
  if (!row.ok) return row;
  const { id: runId } = row.value;
  const before = await seqOf(link, runId);
  if (!before.ok) return before;
  const unfinished = row.value.finishedAt === null && row.value.status !== 'unreadable';
  const text = hint === undefined ? {} : { text: hint };
  if (unfinished && link.kind === 'hosted') await link.takeUp([runId]);
  const resumed =
    unfinished && link.kind === 'hosted' && GOES_ON.has(row.value.status)
      ? ok({})
      : await ask(link, 'run.resume', { runId, by: BY, ...text });
  const underWay = unfinished && !resumed.ok && resumed.error.code === 'run.not_resumable';
  if (!resumed.ok && !underWay) return resumed;
  return ok({ runId, underWay, afterSeq: before.value });
}
