import type { StoredEvent } from '@contract/run/events';

/** A process that was killed while its core continued. */
export interface Killed {
  readonly part: string;
  /** `UID/sNUMBER` of the agent's session; null where it was none. */
  readonly session: string | null;
  readonly at: number;
}

/** A turn may have to wait this long for what was killed under it to be noticed. */
const NOTICED_MS = 20_000;

/** Turns that are called failed though neither their agent nor a git of theirs was killed: a dead host is no result. */
export function wronglyBlamed(history: readonly StoredEvent[], killed: readonly Killed[]): string[] {
  const started = history[0]?.event;
  const uid = started?.type === 'run.started' ? started.uid : '';
  const turns = new Map<number, { readonly session: string; readonly at: number }>();
  return history.flatMap(({ at, event }): string[] => {
    if (event.type === 'turn.dispatched')
      turns.set(event.turnId, { session: `${uid}/s${event.sessionId}`, at });
    if (event.type !== 'turn.finished' || event.outcome !== 'failed') return [];
    const turn = turns.get(event.turnId);
    const code = event.error?.code ?? '';
    const during = killed.filter((one) => one.at >= (turn?.at ?? 0) - NOTICED_MS && one.at <= at);
    const agent = during.some((one) => one.part === 'agent' && one.session === turn?.session);
    const git = code.startsWith('workspace.') && during.some(({ part }) => part === 'git');
    return agent || git ? [] : [`turn ${event.turnId} failed with ${code}: ${event.error?.message ?? ''}`];
  });
}
