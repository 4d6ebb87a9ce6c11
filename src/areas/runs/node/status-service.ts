import { type Notice, NoticeStore } from '@areas/attention/node/notice-store';
import { featureBringsAbout } from '@contract/run/features/feature-answers';
import { timerWords } from '@contract/run/keys';
import type { RunState, TimerState } from '@contract/run/state';
import { bringsRetry, waitsForLimit, worksBeside } from '@contract/run/status';
import type { SystemStatus } from '@contract/system/procedures';
import type { Engine } from '@main/core/engine/engine';
import type { Clock } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';

/** Maximum notices at once; the oldest are dropped. */
const MOST_NOTICES = 20;

interface StatusParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly pid: number;
}

/** Current activity, counted from the runs in memory each time. */
export class StatusService {
  private readonly startedAt: number;
  private readonly dismissed = new Set<string>();
  private processes: { ptyHost: SystemStatus['ptyHost']; restarts: number };
  private readonly extra = new Map<string, Notice>();
  private readonly storedNotices: NoticeStore;

  constructor(private readonly parts: StatusParts) {
    this.startedAt = parts.clock.now();
    const ptyHost = { state: 'none', since: this.startedAt, detail: null, unsteady: null } as const;
    this.processes = { ptyHost, restarts: 0 };
    this.storedNotices = new NoticeStore(parts.store);
    // A database that was set aside: the next process would not know about it.
    for (const notice of parts.store.notices) if (notice.level === 'error') this.storedNotices.keep(notice);
  }

  setProcesses(processes: { ptyHost: SystemStatus['ptyHost']; restarts: number }): void {
    this.processes = processes;
  }

  /** A notice that stays, also over restarts, until the operator dismisses it or it is withdrawn. */
  keep(notice: Notice): void {
    this.dismissed.delete(notice.id);
    this.storedNotices.keep(notice);
  }

  /** Replaces the notice with the same id; a dismissed one is shown again if its text changed. */
  notice(notice: Notice): void {
    if (this.extra.get(notice.id)?.text !== notice.text) this.dismissed.delete(notice.id);
    this.extra.delete(notice.id);
    this.extra.set(notice.id, notice);
    const [oldest] = this.extra.keys();
    if (this.extra.size > MOST_NOTICES && oldest !== undefined) this.extra.delete(oldest);
  }

  /** The notice with this id no longer applies. False if there was none. */
  withdraw(id: string): boolean {
    this.dismissed.delete(id);
    const removed = this.storedNotices.remove(id);
    return this.extra.delete(id) || removed;
  }

  dismiss(id: string): void {
    this.dismissed.add(id);
    this.storedNotices.remove(id);
  }

  status(): SystemStatus {
    const { store, clock } = this.parts;
    const health = store.health();
    const today = { from: startOfDay(clock.now()), before: null, projectId: null };
    const { tokens, costUsd, tokensUnreported, costUnreported } = store.spendTotals(today);
    return {
      core: {
        state: 'running',
        since: this.startedAt,
        detail: null,
        pid: this.parts.pid,
        restarts: this.processes.restarts,
        unsteady: null,
      },
      ptyHost: this.processes.ptyHost,
      store: { ...health, path: store.path, bytes: store.databaseBytes(), freeBytes: store.freeBytes() },
      live: this.live(),
      spendToday: {
        tokens: tokens ?? 0,
        costUsd: costUsd ?? 0,
        untoldTurns: tokensUnreported,
        costUnreported,
      },
      next: this.next(),
      notices: this.notices(),
    };
  }

  private notices(): Notice[] {
    const all = [...this.parts.store.notices, ...this.storedNotices.all(), ...this.extra.values()];
    const byId = new Map(all.map((notice) => [notice.id, notice]));
    return [...byId.values()].filter(({ id }) => !this.dismissed.has(id));
  }

  private live(): SystemStatus['live'] {
    const live: SystemStatus['live'] = {
      runs: 0,
      sessions: 0,
      turns: 0,
      commands: 0,
      gates: 0,
      steps: 0,
      limitEndsAt: null,
    };
    for (const { state, sessions, commands } of this.parts.engine.all()) {
      if (state.status === 'finished') continue;
      live.runs += 1;
      live.sessions += sessions.size;
      live.commands += commands.size;
      for (const session of Object.values(state.sessions)) {
        const turn = state.turns[session.turnIds[session.turnIds.length - 1] ?? 0];
        if (turn?.status === 'in_flight') live.turns += 1;
      }
      for (const activation of Object.values(state.activations)) {
        const hasCommand = activation.commandIds.some((id) => commands.has(id));
        if (activation.status === 'running' && !hasCommand && worksBeside(state, activation)) live.steps += 1;
      }
      for (const gate of Object.values(state.gates)) if (gate.status === 'open') live.gates += 1;
      for (const timer of Object.values(state.timers)) {
        if (state.status !== 'running' || !waitsForLimit(state, timer.id)) continue;
        live.limitEndsAt = Math.min(live.limitEndsAt ?? timer.dueAt, timer.dueAt);
      }
    }
    return live;
  }

  private next(): SystemStatus['next'] {
    const [first] = this.waits({ parking: true });
    return first === undefined
      ? null
      : { at: first.at, what: `${first.runName}: ${first.what}`, runId: first.runId };
  }

  /** What continues by itself and when, soonest first; with `parking`, also when members are parked. */
  waits({ parking } = { parking: false }): { runId: number; runName: string; at: number; what: string }[] {
    return [...this.parts.engine.all()]
      .flatMap(({ runId, state }) =>
        Object.values(state.timers).flatMap((timer) => {
          const what = timer.fired || state.status !== 'running' ? null : comesOf(state, timer, parking);
          return what === null ? [] : [{ runId, runName: state.name, at: timer.dueAt, what }];
        }),
      )
      .sort((one, other) => one.at - other.at);
  }
}

/** What a timer will do by itself; null if it only makes Muster check, or no longer applies. */
function comesOf(state: RunState, timer: TimerState, parking: boolean): string | null {
  const comes =
    (parking && featureBringsAbout(state, timer)) ||
    bringsRetry(state, timer) ||
    waitsForLimit(state, timer.id);
  return comes ? timerWords(timer.purpose) : null;
}

function startOfDay(now: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
}
