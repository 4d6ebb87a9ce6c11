import type { LiveRun } from '@main/core/engine/live-run';
import { Cancel } from '@main/core/ports/cancel';
import type { Sandbox, Sandboxes } from '@main/core/ports/sandbox';

/** A sub-call on its way. */
interface RunningCall {
  readonly cancel: Cancel;
  readonly done: Promise<void>;
}

/** What of a question is alive. Nothing here is truth: all of it follows from events and is built again from them. */
export interface LiveRepl {
  sandbox: Sandbox | null;
  /** Cancelled when nothing needs the sandbox any more. */
  readonly over: Cancel;
  readonly calls: Map<string, RunningCall>;
  /** The block was interrupted: nothing of it is asked any more. */
  interrupted: boolean;
  /** The operator is being told that the disk takes nothing. */
  telling: boolean;
  /** Called when a sub-call has its answer. */
  readonly answered: Set<() => void>;
}

/** By what the sandboxes run in: two cores in one process share nothing. */
const tables = new WeakMap<Sandboxes, Map<string, LiveRepl>>();

const keyOf = ({ runId }: LiveRun, activationId: number): string => `${runId}/${activationId}`;

function tableOf(sandboxes: Sandboxes): Map<string, LiveRepl> {
  const table = tables.get(sandboxes) ?? new Map<string, LiveRepl>();
  tables.set(sandboxes, table);
  return table;
}

export function liveRepl(sandboxes: Sandboxes, run: LiveRun, activationId: number): LiveRepl {
  const table = tableOf(sandboxes);
  const key = keyOf(run, activationId);
  const known = table.get(key);
  if (known !== undefined) return known;
  const made: LiveRepl = {
    sandbox: null,
    over: new Cancel(),
    calls: new Map(),
    interrupted: false,
    telling: false,
    answered: new Set(),
  };
  table.set(key, made);
  return made;
}

/** Null where nothing of it is alive. */
export const knownRepl = (sandboxes: Sandboxes, run: LiveRun, activationId: number): LiveRepl | null =>
  tables.get(sandboxes)?.get(keyOf(run, activationId)) ?? null;

/** Takes it out of the table: what comes after begins with a new one. */
export function takeLiveRepl(sandboxes: Sandboxes, run: LiveRun, activationId: number): LiveRepl | null {
  const table = tableOf(sandboxes);
  const key = keyOf(run, activationId);
  const known = table.get(key) ?? null;
  table.delete(key);
  return known;
}

/** Null where nothing needs it any more, and then at once. */
export const untilOver = <T>({ over }: LiveRepl, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, new Promise<null>((resolve) => over.onCancel(() => resolve(null)))]);

/** Cancels the sub-calls of the block, and resolves when each has said so. */
export async function endCalls(live: LiveRepl): Promise<void> {
  live.interrupted = true;
  const calls = [...live.calls.values()];
  for (const { cancel } of calls) cancel.cancel();
  await Promise.all(calls.map(({ done }) => done));
}
