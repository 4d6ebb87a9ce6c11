import type { OfType, Typed } from '@contract/run/event-table';
import type { PlatformEvent } from '@contract/run/platform-events';
import type { LiveRun } from '../base/live-run';
import { NO_EFFECT } from '../feature-module';

/** The effect of each event. An event without an entry does not compile. */
export type EffectTable<E extends Typed> = {
  readonly [T in E['type']]: ((run: LiveRun, event: OfType<E, T>) => void) | typeof NO_EFFECT;
};

/** Starts the effect in the table for an event. Events without an entry belong to a feature. */
export function startBy<E extends Typed>(table: EffectTable<E>, run: LiveRun, event: Typed): void {
  // The table is mapped over the union, so the entry of a type takes exactly the events of that type.
  const effect = table[event.type as E['type']] as ((run: LiveRun, event: Typed) => void) | null | undefined;
  effect?.(run, event);
}

/** Platform events without an effect. */
export const noEffects = {
  'run.started': NO_EFFECT,
  'run.workspace-ready': NO_EFFECT,
  'run.workspace-failed': NO_EFFECT,
  'run.reopened': NO_EFFECT,
  'run.binned': NO_EFFECT,
  'run.restored': NO_EFFECT,
  'run.renamed': NO_EFFECT,
  'run.again-requested': NO_EFFECT,
  'run.released': NO_EFFECT,
  'run.apply-requested': NO_EFFECT,
  'run.applied': NO_EFFECT,
  'run.apply-refused': NO_EFFECT,
  'run.undo-requested': NO_EFFECT,
  'run.undone': NO_EFFECT,
  'run.undo-refused': NO_EFFECT,
  'activation.started': NO_EFFECT,
  'activation.expanded': NO_EFFECT,
  'activation.finished': NO_EFFECT,
  'activation.adopted': NO_EFFECT,
  'step.skipped': NO_EFFECT,
  'step.skip-withdrawn': NO_EFFECT,
  'scope.opened': NO_EFFECT,
  'scope.stop-requested': NO_EFFECT,
  'scope.ended': NO_EFFECT,
  'session.assigned': NO_EFFECT,
  'session.ready': NO_EFFECT,
  'session.failed': NO_EFFECT,
  'session.lost': NO_EFFECT,
  'session.reattached': NO_EFFECT,
  'session.observed': NO_EFFECT,
  'turn.finished': NO_EFFECT,
  'turn.interrupted': NO_EFFECT,
  'prompt.queued': NO_EFFECT,
  'prompt.withdrawn': NO_EFFECT,
  'workspace.ready': NO_EFFECT,
  'workspace.failed': NO_EFFECT,
  'capture.finished': NO_EFFECT,
  'capture.failed': NO_EFFECT,
  'capture.revised': NO_EFFECT,
  'hunk.marked': NO_EFFECT,
  'files.viewed': NO_EFFECT,
  'lane.failed': NO_EFFECT,
  'lane.restored': NO_EFFECT,
  'command.finished': NO_EFFECT,
  'command.interrupted': NO_EFFECT,
  'host.disconnected': NO_EFFECT,
  'host.reconnected': NO_EFFECT,
  'gate.opened': NO_EFFECT,
  'gate.delivered': NO_EFFECT,
  'timer.fired': NO_EFFECT,
  'task.agent_task.reprompt_dispatched': NO_EFFECT,
  'task.agent_task.reprompt_response': NO_EFFECT,
  'task.coding.agent_reprompt_dispatched': NO_EFFECT,
  'task.coding.agent_reprompt_response': NO_EFFECT,
  'update.posted': NO_EFFECT,
} as const satisfies Partial<EffectTable<PlatformEvent>>;
