import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import type { StatusParts } from '@contract/run/status';
import { OpenParts } from './open-parts';

/** A run's completed steps, its working or waiting ones in start order, and what is open in it. */
export interface Tally {
  readonly done: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
  /** For the run's status. */
  readonly open: StatusParts;
}

class LiveTally implements Tally {
  readonly done = new Set<string>();
  readonly running = new Set<string>();
  private readonly stale: Set<string>;
  private readonly parts: OpenParts;

  constructor(private readonly state: RunState) {
    const begun = Object.values(state.activations).map(({ stepId }) => stepId);
    this.parts = new OpenParts(state);
    this.stale = new Set([...begun, ...Object.keys(state.steps)]);
  }

  get open(): StatusParts {
    return this.parts.read();
  }

  follow(event: RunEvent): void {
    this.parts.follow(event);
    switch (event.type) {
      case 'activation.started':
      case 'activation.adopted':
      case 'step.skipped':
      case 'step.skip-withdrawn':
        return void this.stale.add(event.stepId);
      case 'activation.finished': {
        const activation = this.state.activations[event.activationId];
        return activation === undefined ? undefined : void this.stale.add(activation.stepId);
      }
      default:
        return;
    }
  }

  settle(): this {
    for (const stepId of this.stale) this.place(stepId);
    this.stale.clear();
    return this;
  }

  private place(stepId: string): void {
    const step = ownValue(this.state.steps, stepId);
    const last = this.state.activations[step?.activationIds.at(-1) ?? 0];
    const running = last?.status === 'running';
    if (running) this.running.add(stepId);
    else this.running.delete(stepId);
    // A scope's steps count as their owner.
    if (scopeOf(stepId) !== null) return;
    if (!running && (endedWell(last) || step?.skipped != null)) this.done.add(stepId);
    else this.done.delete(stepId);
  }
}

/** A step that failed, was cancelled or was sent back is not completed. */
const endedWell = (last: ActivationState | undefined): boolean =>
  last?.outcome === 'succeeded' || last?.outcome === 'rejected';

export const tallyOf = (state: RunState): Tally => new LiveTally(state).settle();

/**
 * Maintains the tallies of live runs with their events, so that a commit costs the same in a run of any size.
 * A tally belongs to its state object: after a failed commit the engine continues with another.
 */
export class Tallies {
  private readonly live = new WeakMap<RunState, LiveTally>();

  follow(state: RunState, event: RunEvent): void {
    if (event.type === 'run.resumed') this.live.delete(state);
    else this.live.get(state)?.follow(event);
  }

  of(state: RunState): Tally {
    const tally = this.live.get(state) ?? new LiveTally(state);
    this.live.set(state, tally);
    return tally.settle();
  }
}
