import { ok, type Result } from '@contract/result';
import { turnsByLane } from '@contract/run/lane/lane-turns';
import type { RunState } from '@contract/run/state';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode, exitOfRun } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { followRun } from '@main/cli/running/follow';
import { LEAD_LANE } from '../../contract/lanes/lanes';
import { isInstructed, leadIsWoken } from '../../contract/lanes/queue';
import { inThread } from '../../contract/messages/thread';
import { hasEnded, memberStatus } from '../../contract/status';
import { teamIsLive } from '../../contract/summary';
import { messageLines } from './text';

const AT_WORK: ReadonlySet<string> = new Set(['starting', 'working', 'stopping']);

/** Nothing of the team works or is about to: only the operator can restart it. */
function isQuiet(state: RunState, activationId: number): boolean {
  const team = state.teams[activationId];
  if (team === undefined || !teamIsLive(state, activationId)) return true;
  const lead = turnsByLane(state, state.activations[activationId]).get(LEAD_LANE)?.at(-1);
  if (lead?.status === 'in_flight' || leadIsWoken(team)) return false;
  return Object.values(team.members).every(
    (member) =>
      hasEnded(member) ||
      (!AT_WORK.has(memberStatus(state, team, member).word) && !isInstructed(team, member.queue)),
  );
}

interface Followed {
  readonly link: Link;
  readonly place: { readonly runId: number; readonly activationId: number };
  readonly thread: string | null;
  readonly afterSeq: number;
}

/** Prints messages until the team is idle, also across the loss of a core. */
export async function followChat(context: Context, followed: Followed): Promise<Result<ExitCode>> {
  const { place, thread } = followed;
  const { runId, activationId } = place;
  const { out } = context;
  let { link, afterSeq } = followed;
  for (;;) {
    const enough = new AbortController();
    const stop = () => enough.abort();
    context.stop.addEventListener('abort', stop);
    if (context.stop.aborted) stop();
    const now = await ask(link, 'run.get', { runId });
    if (now.ok && now.value.state.seq <= afterSeq && isQuiet(now.value.state, activationId)) stop();
    const ending = await followRun(
      { ...context, stop: enough.signal },
      {
        link,
        runId,
        throughGates: true,
        afterSeq,
        tell: ({ event, seq }, state) => {
          afterSeq = seq;
          const message =
            event.type === 'team.message' ? state.teams[activationId]?.messages[event.messageId] : undefined;
          if (message !== undefined && inThread(message, thread))
            out.record({ kind: 'message', message }, () => messageLines(message, out.style, thread));
          if (isQuiet(state, activationId)) stop();
        },
      },
    );
    context.stop.removeEventListener('abort', stop);
    if (!ending.ok) return ending;
    const { status, stopped } = ending.value;
    link = ending.value.link;
    const fullRun = stopped ? await ask(link, 'run.get', { runId }) : null;
    // Consequences of the last event may have been in transit.
    if (!context.stop.aborted && fullRun?.ok === true && fullRun.value.state.seq > afterSeq) continue;
    // That core has ended: the next one is followed.
    if (!context.stop.aborted && fullRun?.ok === false) {
      if (fullRun.error.code !== 'unavailable') return fullRun;
      continue;
    }
    if (!context.stop.aborted && fullRun?.ok === true && !isQuiet(fullRun.value.state, activationId))
      continue;
    const ended = !stopped || status === 'succeeded' || status === 'failed';
    const exitCode = context.stop.aborted ? EXIT.interrupted : ended ? exitOfRun[status] : EXIT.waiting;
    out.record({ kind: 'left', runId, status, exitCode }, () =>
      exitCode === EXIT.waiting ? ['', 'The team waits for you.'] : [],
    );
    return ok(exitCode);
  }
}
