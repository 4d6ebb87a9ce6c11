import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { sessionFacts } from '@contract/run/features/feature-answers';
import type { RunState, SessionState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import type { Clock, Logger } from '@main/core/ports/ports';
import { IDLE_CHECK_MS } from '@main/limits/core';

interface IdleParkerParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a session may be idle before it is parked. */
  readonly idleMs: number;
  /** Called at each check: releases what parked sessions of ended runs had kept. */
  readonly tidy?: () => Promise<void>;
}

/**
 * Parks sessions that have been idle for a while, for example while a gate waits overnight. A parked session
 * keeps what it needs and is resumed by its next turn.
 */
export class IdleParker {
  private cancel: () => void = () => undefined;

  constructor(private readonly parts: IdleParkerParts) {}

  start(): void {
    const { clock } = this.parts;
    this.cancel = clock.at(clock.now() + IDLE_CHECK_MS, () => {
      void this.look().finally(() => this.start());
    });
  }

  stop(): void {
    this.cancel();
  }

  async look(): Promise<void> {
    const before = this.parts.clock.now() - this.parts.idleMs;
    for (const { runId, state } of [...this.parts.engine.all()]) {
      if (idleSessions(state, before).length === 0) continue;
      const done = await this.parts.engine.command(runId, (run) => ok(parked(run.state, before)));
      if (!done.ok)
        this.parts.logger.warn('idle sessions could not be parked', { runId, why: done.error.message });
    }
    await this.parts.tidy?.();
  }
}

/**
 * Sessions idle since `before` that lose nothing when parked. Excludes sessions that a running step still
 * uses, unless it allows parking, and those that cannot be resumed and would lose their conversation.
 */
function idleSessions(state: RunState, before: number): number[] {
  return Object.values(state.sessions).flatMap((session) => {
    if (session.status !== 'ready' || session.since > before) return [];
    if (session.capabilities?.resume === false || inMidStep(state, session)) return [];
    const last = state.turns[session.turnIds[session.turnIds.length - 1] ?? 0];
    const idle = last === undefined || (last.finishedAt !== null && last.finishedAt <= before);
    return idle ? [session.id] : [];
  });
}

const inMidStep = (state: RunState, { id: sessionId, activationIds }: SessionState): boolean =>
  activationIds.some(
    (id) => state.activations[id]?.status === 'running' && !sessionFacts(state, id, sessionId).parks,
  );

const parked = (state: RunState, before: number): RunEvent[] =>
  idleSessions(state, before).map((sessionId) => ({
    type: 'session.parked',
    sessionId,
    reason: 'nothing to do for a while',
  }));
