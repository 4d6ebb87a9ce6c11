import type { GateAnswer } from '@areas/gates/contract/gate';
import type { RunState } from '@contract/run/state';
import type { RunningCommand, Seen, Session } from '../../ports/ports';
import type { Plan } from '../plan/plan';
import { Schedule } from '../schedule/schedule';

/**
 * A run in memory: its folded state and its live parts. None of it is authoritative; all follows from events.
 */
export interface LiveRun {
  readonly runId: number;
  readonly plan: Plan;
  state: RunState;
  schedule: Schedule;
  /** Number of appends that are folded into the state and not stored yet. */
  unstored: number;
  readonly sessions: Map<number, Session>;
  /** Aborts the start of a session that is not open yet. */
  readonly starting: Map<number, () => void>;
  /** Aborts the creation of a working folder that is not ready yet. */
  readonly making: Set<() => void>;
  readonly commands: Map<number, RunningCommand>;
  /** Agents waiting for a gate's answer, by gate id. */
  readonly pendingPermissions: Map<number, Asker>;
  readonly timers: Map<number, () => void>;
  /** When the agent of a turn last gave a sign of life. */
  readonly heard: Map<number, number>;
  /** The last observation of a turn's agent, while it is being reported. */
  readonly looked: Map<number, Seen>;
  /** The screen of a turn's agent that waits for the operator, and since when it shows just that. */
  readonly screens: Map<number, { readonly screen: string; readonly since: number }>;
  /** Sessions whose agent reports observations itself. */
  readonly watched: Set<number>;
  /** Number of items that a turn has streamed, so that readers can detect gaps. */
  readonly streamed: Map<number, number>;
}

interface Asker {
  readonly turnId: number;
  readonly answer: (answer: GateAnswer) => void;
}

export function liveRun(runId: number, plan: Plan, state: RunState): LiveRun {
  return {
    runId,
    plan,
    state,
    schedule: new Schedule(plan, state),
    unstored: 0,
    sessions: new Map(),
    starting: new Map(),
    making: new Set(),
    commands: new Map(),
    pendingPermissions: new Map(),
    timers: new Map(),
    heard: new Map(),
    looked: new Map(),
    screens: new Map(),
    watched: new Set(),
    streamed: new Map(),
  };
}

/**
 * Last sign of life of a turn's agent. An agent that waits for permission is not silent. `now` in
 * milliseconds since 1970; null: no sign of life.
 */
export function heardOf(run: LiveRun, turnId: number, now: number): number | null {
  for (const asker of run.pendingPermissions.values()) if (asker.turnId === turnId) return now;
  return run.heard.get(turnId) ?? null;
}

export function forgetAskers(run: LiveRun, turnId: number): void {
  for (const [gateId, asker] of run.pendingPermissions)
    if (asker.turnId === turnId) run.pendingPermissions.delete(gateId);
}

export function forgetTurn(run: LiveRun, turnId: number): void {
  run.streamed.delete(turnId);
  run.heard.delete(turnId);
  run.screens.delete(turnId);
}
