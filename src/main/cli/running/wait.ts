import { setTimeout as sleep } from 'node:timers/promises';
import { rehearsalOf, rehearsalWords } from '@areas/agents/contract/rehearsal';
import { ok, type Result } from '@contract/result';
import { returnedBy } from '@contract/run/results/returned-output';
import { ask } from '../../api/core-service';
import { WAIT_CHECK_MS } from '../../limits/command-line';
import type { Context } from '../command';
import { EXIT, type ExitCode, exitOfRun } from '../exit';
import type { Link } from '../link/link';
import { resultLines, returnedLines } from '../output/result-lines';
import { eventLines } from '../output/run-lines';
import { namingCommands, type ReturnedText, wholeReturned } from '../output/whole-returned';
import { type Follow, followRun, type Left } from './follow';
import { readAtEnd } from './read-at-end';

type Ended = (left: Left, exitCode: ExitCode, returned: ReturnedText | null) => Result<void>;

/**
 * Prints a run's events until it is idle; returns its outcome as exit code. `ended` prints more, from the
 * run's last state and what its workflow returns, which it prints itself. If it cannot, the command fails.
 */
export async function waitForRun(
  context: Context,
  follow: Omit<Follow, 'tell'>,
  ended: Ended | null = null,
): Promise<Result<ExitCode>> {
  const { out, again } = context;
  const ending = await followRun(context, {
    ...follow,
    tell: (stored, state) =>
      out.record(namingCommands(context, follow.runId, { kind: 'event', ...stored }), () =>
        eventLines(stored, state, { style: out.style, again }),
      ),
  });
  if (!ending.ok) return ending;
  const { runId } = follow;
  const { link, status, stopped } = ending.value;
  const exitCode = stopped ? EXIT.interrupted : exitOfRun[status];
  const found =
    stopped || status === 'waiting'
      ? null
      : await readAtEnd(context, link, (core) => ask(core, 'run.results', { runId }));
  const results = found?.ok === true ? found.value : [];
  const trouble = found?.ok === false ? found.error : null;
  const named = stopped || status === 'waiting' ? null : returnedBy(ending.value.state);
  const whole = await readAtEnd(context, link, (core) => wholeReturned(core, runId, named));
  if (!whole.ok) return whole;
  const returned = whole.value;
  const rehearsal = stopped || status === 'waiting' ? null : rehearsalOf(ending.value.state);
  const more = {
    ...(rehearsal === null ? {} : { rehearsal }),
    ...(results.length === 0 ? {} : { results }),
    ...(trouble === null ? {} : { trouble }),
    ...(returned === null ? {} : { returns: returned }),
  };
  out.record({ kind: 'left', runId, status, stopped, exitCode, ...more }, () => [
    ...lastLines(context, ending.value, runId),
    ...(stopped || ended !== null ? [] : returnedLines(returned, ending.value.state, out.style)),
    ...resultLines(runId, { state: ending.value.state, results, trouble }, { style: out.style, again }),
    ...(rehearsal === null ? [] : ['', out.style.waits(rehearsalWords[rehearsal])]),
  ]);
  const told = ended?.(ending.value, exitCode, returned) ?? ok(undefined);
  if (!stopped && link.kind === 'hosted') await waitForOthers(context, link);
  return told.ok ? ok(exitCode) : told;
}

function lastLines({ again }: Context, { status, stopped, asks, link }: Left, runId: number): string[] {
  const run = String(runId);
  if (stopped && link.kind === 'attached') {
    return [
      '',
      `Run ${run} continues in process ${link.pid}.`,
      `  ${again('show', run)}`,
      `  ${again('cancel', run)}`,
    ];
  }
  if (stopped && link.guests() > 0) {
    return [
      '',
      `Run ${run} is parked here. Another client of this Muster, such as an open window, may continue it.`,
      `  ${again('cancel', run)}`,
    ];
  }
  if (stopped) return ['', `Run ${run} is parked.`, `  ${again('resume', run)}`];
  if (status === 'failed' && asks)
    return ['', `Run ${run} failed. Resume it:`, `  ${again('resume', run, '--hint', 'TEXT')}`];
  if (status === 'waiting' && !asks)
    return [
      '',
      `Run ${run} waits for you: its team has delivered what it was asked for.`,
      `  ${again('show', run)}`,
    ];
  if (status === 'waiting') return ['', `Run ${run} waits at a gate.`, `  ${again('gates')}`];
  return [];
}

/** Does not interrupt runs that others started here meanwhile; Ctrl-C parks them. */
async function waitForOthers({ out, stop }: Context, link: Link): Promise<void> {
  let reported = false;
  while (!stop.aborted) {
    const others = link.working();
    if (others.length === 0) return;
    if (!reported)
      out.note(
        `Still working here on run ${others.join(', ')}, which another client started. Ctrl-C parks it.`,
      );
    reported = true;
    await sleep(WAIT_CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
