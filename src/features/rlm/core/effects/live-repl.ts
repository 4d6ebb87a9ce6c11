import type { LiveRun } from '@main/core/engine/base/live-run';
import { Cancel } from '@main/core/ports/cancel';
import type { Sandbox, Sandboxes } from '@main/core/ports/programs/sandbox';

/** A sub-call in progress. */
interface RunningCall {
  readonly cancel: Cancel;
  readonly done: Promise<void>;
}

/** The live part of a question. Nothing here is authoritative: it is rebuilt from events. */
export interface LiveRepl {
  sandbox: Sandbox | null;
  /** Cancelled when the sandbox is no longer needed. */
  readonly over: Cancel;
  readonly calls: Map<string, RunningCall>;
  /** The running block makes no more sub-calls. */
  callsEnded: boolean;
  /** The operator interrupted the running block. */
  stopAsked: boolean;
  /** The sandbox repeats recorded blocks, which no interrupt may change. */
  repeating: boolean;
  /** The operator is being notified of the full disk. */
  telling: boolean;
  /** Called when a sub-call is answered. */
  readonly answered: Set<() => void>;
}

/** By sandbox host, so that two cores in one process share nothing. */
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
    callsEnded: false,
    stopAsked: false,
    repeating: false,
    telling: false,
    answered: new Set(),
  };
  table.set(key, made);
  return made;
}

/** Null if there is no live part. */
export const knownRepl = (sandboxes: Sandboxes, run: LiveRun, activationId: number): LiveRepl | null =>
  tables.get(sandboxes)?.get(keyOf(run, activationId)) ?? null;

/** Removes it from the table; later work starts with a new one. */
export function takeLiveRepl(sandboxes: Sandboxes, run: LiveRun, activationId: number): LiveRepl | null {
  const table = tableOf(sandboxes);
  const key = keyOf(run, activationId);
  const known = table.get(key) ?? null;
  table.delete(key);
  return known;
}

/** Null, at once, when the sandbox is no longer needed. */
export const untilOver = <T>({ over }: LiveRepl, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, new Promise<null>((resolve) => over.onCancel(() => resolve(null)))]);

/** Cancels the block's sub-calls, and resolves when all have ended. */
export async function endCalls(live: LiveRepl): Promise<void> {
  live.callsEnded = true;
  const calls = [...live.calls.values()];
  for (const { cancel } of calls) cancel.cancel();
  await Promise.all(calls.map(({ done }) => done));
}
