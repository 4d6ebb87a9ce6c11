import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState, RunStatus } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { ask } from '../../api/core-service';
import { REOPEN_MS, REOPEN_PAUSE_MS } from '../../limits/command-line';
import type { Context } from '../command';
import type { Link } from '../link/link';

const PAGE = 500;

export interface Follow {
  readonly link: Link;
  readonly runId: number;
  /** Keeps following while a gate waits for an answer from elsewhere. */
  readonly throughGates: boolean;
  /** The first seq to print; earlier events are only folded. */
  readonly afterSeq: number;
  readonly tell: (event: StoredEvent, state: RunState) => void;
}

/** Why following ended: the run ended, only gates are left, or the operator stopped it. */
export interface Left {
  readonly status: RunStatus;
  readonly stopped: boolean;
  /** A gate is open; an idle team waits without one. */
  readonly asks: boolean;
  readonly state: RunState;
  /** The last core that it was read from. */
  readonly link: Link;
}

/**
 * Follows a run from its first event. Pushes only wake the reading, so no event is missed or printed twice,
 * even if the core is lost and another, perhaps our own, continues the run.
 */
export async function followRun(context: Context, follow: Follow): Promise<Result<Left>> {
  let link = follow.link;
  const reader = new RunReader(follow);
  for (;;) {
    const ending = await followOn(context, { ...follow, link, reader });
    if (ending !== null) return ending;
    context.out.note('The core of this run has stopped; looking for another one.');
    const next = await reopen(context);
    if (!next.ok) return next;
    link = next.value;
    await link.takeUp([follow.runId]);
  }
}

interface On extends Follow {
  readonly reader: RunReader;
}

const isOver = (status: RunStatus): boolean =>
  !['running', 'limited', 'waiting', 'cancelling'].includes(status);

/** Null if the core was lost. */
async function followOn(
  { stop }: Context,
  { link, runId, throughGates, reader }: On,
): Promise<Result<Left> | null> {
  const bell = new Bell();
  let lost = false;
  const following = link.follow([`run:${runId}`], () => bell.ring());
  const onStop = (): void => bell.ring();
  stop.addEventListener('abort', onStop);
  void link.lost.then(() => {
    lost = true;
    bell.ring();
  });
  try {
    for (;;) {
      const read = await reader.read(link);
      if (!read.ok) return lost || (await isLost(link)) ? null : read;
      const status = runStatus(read.value);
      const rests = isOver(status) || (status === 'waiting' && !throughGates);
      const asks = Object.values(read.value.gates).some((gate) => gate.status === 'open');
      if (rests || stop.aborted) return ok({ status, stopped: !rests, asks, state: read.value, link });
      if (lost) return null;
      await bell.rung();
    }
  } finally {
    stop.removeEventListener('abort', onStop);
    following.end();
  }
}

/** Whether a core is gone. Its error answer may arrive a moment before the connection ends. */
export const isLost = (link: Link): Promise<boolean> =>
  Promise.race([
    link.lost.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 250, false)),
  ]);

async function reopen(context: Context): Promise<Result<Link>> {
  for (const until = Date.now() + REOPEN_MS; ; ) {
    const link = await context.open({ mode: 'working' });
    if (link.ok || Date.now() > until || context.stop.aborted) return link;
    await sleep(REOPEN_PAUSE_MS, undefined, { signal: context.stop }).catch(() => undefined);
  }
}

/** A signal that is kept until someone waits for it. */
class Bell {
  private rang = false;
  private wake: () => void = () => undefined;

  ring(): void {
    this.rang = true;
    this.wake();
  }

  async rung(): Promise<void> {
    if (!this.rang) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.rang = false;
  }
}

class RunReader {
  private state: RunState | null = null;

  constructor(private readonly follow: Pick<Follow, 'runId' | 'afterSeq' | 'tell'>) {}

  /** Reads and prints new events; returns the state after the last one. */
  async read(link: Link): Promise<Result<RunState>> {
    const { runId, afterSeq, tell } = this.follow;
    for (;;) {
      const page = await ask(link, 'run.events', { runId, afterSeq: this.state?.seq ?? 0, limit: PAGE });
      if (!page.ok) return page;
      for (const stored of page.value) {
        this.state = reduce(this.state, stored);
        if (stored.seq > afterSeq) tell(stored, this.state);
      }
      if (page.value.length < PAGE) break;
    }
    return this.state === null ? fail('not_found', `run ${runId} has no events`) : ok(this.state);
  }
}
