import type { GateAnswer } from '@contract/gate/gate';
import type { RunState } from '@contract/run/state';
import type { RunningCommand, Seen, Session } from '../ports/ports';
import type { Plan } from './plan/plan';
import { Schedule } from './schedule/schedule';

/** A run in memory: its folded state and what of it is alive. Nothing here is truth; all of it follows from events. */
export interface LiveRun {
  readonly runId: number;
  readonly plan: Plan;
  state: RunState;
  schedule: Schedule;
  readonly sessions: Map<number, Session>;
  /** Sessions that are not open yet; what gives up their start. */
  readonly starting: Map<number, () => void>;
  /** What gives up the making of a working folder that is not there yet. */
  readonly making: Set<() => void>;
  readonly commands: Map<number, RunningCommand>;
  /** Agents that wait for the answer of a gate, by gate id. */
  readonly askers: Map<number, Asker>;
  readonly timers: Map<number, () => void>;
  /** When the agent of a turn was last heard of. */
  readonly heard: Map<number, number>;
  /** What was seen last of the agent of a turn, while a look at it is being told. */
  readonly looked: Map<number, Seen>;
  /** Sessions whose agent is looked at by who runs it, who tells what is seen. */
  readonly watched: Set<number>;
  /** How many streamed items a turn has had, for readers that want to know of a gap. */
  readonly streamed: Map<number, number>;
}

export interface Asker {
  readonly turnId: number;
  readonly answer: (answer: GateAnswer) => void;
}

export function liveRun(runId: number, plan: Plan, state: RunState): LiveRun {
  return {
    runId,
    plan,
    state,
    schedule: new Schedule(plan, state),
    sessions: new Map(),
    starting: new Map(),
    making: new Set(),
    commands: new Map(),
    askers: new Map(),
    timers: new Map(),
    heard: new Map(),
    looked: new Map(),
    watched: new Set(),
    streamed: new Map(),
  };
}

/**
 * The last sign of life of a turn's agent. One that waits for the operator's permission is not silent.
 * `now` in milliseconds since 1970; null: nothing was heard of it.
 */
export function heardOf(run: LiveRun, turnId: number, now: number): number | null {
  for (const asker of run.askers.values()) if (asker.turnId === turnId) return now;
  return run.heard.get(turnId) ?? null;
}
