import type { StoredEvent } from '@contract/run/events';
import type { RunOutcome } from '@contract/run/lifecycle/events';

/** How a run stands: one that was opened again has not ended. */
export function outcomeOf(history: readonly StoredEvent[]): RunOutcome | null {
  const last = history.findLast(
    ({ event }) =>
      event.type === 'run.finished' || event.type === 'run.reopened' || event.type === 'run.resumed',
  );
  return last?.event.type === 'run.finished' ? last.event.outcome : null;
}

export function whyNot(history: readonly StoredEvent[]): string {
  const failed = history.find(({ event }) => event.type === 'activation.finished' && event.error !== null);
  if (failed !== undefined) return JSON.stringify(failed.event);
  const open = new Map<number, string>();
  for (const { event } of history) {
    if (event.type === 'gate.opened') open.set(event.gateId, event.kind);
    if (event.type === 'gate.resolved' || event.type === 'gate.withdrawn') open.delete(event.gateId);
  }
  const gates = [...open.values()].join(', ') || 'none';
  const last = history.slice(-6).map(({ event }) => JSON.stringify(event).slice(0, 300));
  return `gates open: ${gates}; last: ${last.join(' ')}`;
}
