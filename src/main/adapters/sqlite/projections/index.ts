import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { FeatureEvent } from '@features/contract';
import type { Db } from '../sql';
import type { Fact } from './fact';
import { shownProjections } from './inbox-and-feed';
import { runProjection } from './runs';
import { usageProjection } from './usages';
import { activationProjection, commandProjection, sessionProjection, turnProjection } from './work';

export interface Projections {
  /** Updates the list tables for one event. */
  project(fact: Fact, event: RunEvent): void;
  /** Writes the run's own row, once for all its events in a commit. */
  settle(runId: number, state: RunState): void;
}

const SESSION_STATUS = {
  'session.resuming': 'resuming',
  'session.failed': 'failed',
  'session.parked': 'parked',
  'session.lost': 'lost',
  'session.closed': 'closed',
} as const;

export function createProjections(db: Db): Projections {
  const runs = runProjection(db);
  const activations = activationProjection(db);
  const sessions = sessionProjection(db);
  const turns = turnProjection(db);
  const commands = commandProjection(db);
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
      case 'run.resumed':
        return activations.resumed(fact, event);
      case 'activation.started':
        return activations.started(fact, event);
      case 'activation.adopted':
        return activations.adopted(fact, event);
      case 'activation.finished':
        return activations.finished(fact, event);
      case 'session.starting':
        return sessions.starting(fact, event);
      case 'session.ready':
        return sessions.ready(fact, event);
      case 'session.resuming':
      case 'session.failed':
      case 'session.parked':
      case 'session.lost':
      case 'session.closed':
        return sessions.become(fact, event.sessionId, SESSION_STATUS[event.type]);
      case 'turn.dispatched':
        return turns.dispatched(fact, event);
      case 'turn.finished':
        return turns.finished(fact, event);
      case 'turn.interrupted':
        return turns.interrupted(fact, event);
      case 'command.started':
        return commands.started(fact, event);
      case 'command.finished':
        return commands.finished(fact, event);
      case 'command.interrupted':
        return commands.interrupted(fact, event);
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
  | `run.${'workspace-requested' | 'workspace-ready' | 'workspace-failed' | 'cancel-requested' | 'budget-raised' | 'reopened' | 'again-requested' | 'finished' | 'released' | 'apply-requested' | 'applied' | 'apply-refused'}`
  | `activation.${'expanded' | 'stop-requested'}`
  | `scope.${'opened' | 'stop-requested' | 'ended'}`
  | `step.${'skipped' | 'skip-withdrawn'}`
  | 'session.assigned'
  | 'session.reattached'
  | 'session.observed'
  | 'gate.delivered'
  | `timer.${'set' | 'fired'}`
  | 'turn.cancel-requested'
  | `prompt.${'queued' | 'withdrawn'}`
  | `workspace.${'requested' | 'ready' | 'failed'}`
  | `capture.${'started' | 'finished' | 'failed'}`
  | 'hunk.marked'
  | `lane.${'failed' | 'restored'}`
  | FeatureEvent['type']
  | `task.agent_task.${'reprompt_dispatched' | 'reprompt_response'}`
  | `task.coding.${'agent_reprompt_dispatched' | 'agent_reprompt_response'}`;

function settledWithTheRun(_event: { readonly type: SettledWithTheRun }): void {}
