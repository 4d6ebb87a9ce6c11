import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { FeatureEvent } from '@features/contract';
import type { Db } from '../sql';
import type { Fact } from './fact';
import { shownProjections } from './inbox-and-feed';
import { runProjection } from './runs';
import { usageProjection } from './usages';
import { workProjection } from './work';

export interface Projections {
  /** Updates the list tables for one event. */
  project(fact: Fact, event: RunEvent): void;
  /**
   * Writes the run's own row, once for all its events in a commit. Returns what it says of the run's end; that
   * part is not written if it was the same `before`.
   */
  settle(runId: number, state: RunState, before?: string): string;
}

export function createProjections(db: Db): Projections {
  const runs = runProjection(db);
  const work = workProjection(db);
  const usages = usageProjection(db);
  const { gates, updates, announcements } = shownProjections(db);

  function project(fact: Fact, event: RunEvent): void {
    runs.follow(fact, event);
    announcements.follow(fact, event);
    usages.follow(fact, event);
    switch (event.type) {
      case 'run.started':
        return runs.started(fact, event);
      case 'run.binned':
        return runs.binned(fact);
      case 'run.restored':
        return runs.restored(fact);
      case 'run.renamed':
        return runs.renamed(fact);
      case 'session.starting':
        runs.joined(fact);
        return work.session(fact, event);
      case 'session.ready':
        return work.folder(fact, event);
      case 'turn.dispatched':
        return work.turn(fact, event);
      case 'gate.opened':
        return gates.opened(fact, event);
      case 'gate.resolved':
        return gates.resolved(fact, event);
      case 'gate.withdrawn':
        return gates.withdrawn(fact, event);
      case 'update.posted':
        return updates.posted(fact, event);
      default:
        return settledWithTheRun(event);
    }
  }

  return { project, settle: runs.settle };
}

/** Events that affect no list, or only the run's own row. */
type SettledWithTheRun =
  | `run.${'resumed' | 'workspace-requested' | 'workspace-ready' | 'workspace-failed' | 'cancel-requested' | 'budget-raised' | 'reopened' | 'again-requested' | 'finished' | 'released' | 'apply-requested' | 'applied' | 'apply-refused' | 'undo-requested' | 'undone' | 'undo-refused'}`
  | `activation.${'started' | 'adopted' | 'expanded' | 'stop-requested' | 'finished'}`
  | `scope.${'opened' | 'stop-requested' | 'ended'}`
  | `step.${'skipped' | 'skip-withdrawn'}`
  | `session.${'assigned' | 'resuming' | 'failed' | 'parked' | 'lost' | 'closed' | 'reattached' | 'observed'}`
  | 'gate.delivered'
  | `timer.${'set' | 'fired'}`
  | `turn.${'cancel-requested' | 'finished' | 'interrupted'}`
  | `command.${'started' | 'finished' | 'interrupted'}`
  | `host.${'disconnected' | 'reconnected'}`
  | `prompt.${'queued' | 'withdrawn'}`
  | `workspace.${'requested' | 'ready' | 'failed'}`
  | `capture.${'started' | 'finished' | 'failed' | 'revised'}`
  | 'hunk.marked'
  | 'files.viewed'
  | `lane.${'failed' | 'restored'}`
  | FeatureEvent['type']
  | `task.agent_task.${'reprompt_dispatched' | 'reprompt_response'}`
  | `task.coding.${'agent_reprompt_dispatched' | 'agent_reprompt_response'}`;

function settledWithTheRun(_event: { readonly type: SettledWithTheRun }): void {}
