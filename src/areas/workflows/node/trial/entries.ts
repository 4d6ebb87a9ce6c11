import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { TrialEntry } from '../../contract/trial';

interface Seen {
  /** The run's final state. */
  readonly state: RunState;
  /** The answer given at each gate. */
  readonly answers: ReadonlyMap<number, string>;
  /** Whether a step's work was skipped. */
  outside(step: string): boolean;
  /** Whether the values skip a step. */
  skips(step: string): boolean;
}

/** A dry run's entry for an event; null if it is not shown. */
export function entryOf(event: RunEvent, { state, answers, outside, skips }: Seen): TrialEntry | null {
  const stepOf = (activationId: number | null): string =>
    state.activations[activationId ?? 0]?.stepId ?? 'run';
  switch (event.type) {
    case 'turn.dispatched': {
      const profile = state.sessions[event.sessionId]?.profileId;
      const agent = ownValue(state.profiles, profile ?? '')?.name ?? profile ?? 'agent';
      return { kind: 'prompt', step: stepOf(event.activationId), text: event.prompt, agent };
    }
    case 'command.started':
      return { kind: 'command', step: stepOf(event.activationId), text: event.script };
    case 'gate.opened': {
      const answer = answers.get(event.gateId);
      const label = event.options.find(({ id }) => id === answer)?.label;
      const step = stepOf(event.activationId);
      return { kind: 'gate', step, text: event.message, ...(label === undefined ? {} : { answer: label }) };
    }
    case 'step.skipped':
      return {
        kind: 'skip',
        step: event.stepId,
        text: skips(event.stepId) ? 'the values of the dry run skip it' : event.reason,
      };
    case 'activation.finished': {
      const { outcome, error, warnings } = event;
      const id = stepOf(event.activationId);
      if (outside(id)) return { kind: 'not_simulated', step: id, text: 'its work is left out of a dry run' };
      const warningField = warnings.length === 0 ? {} : { warnings };
      return { kind: 'end', step: id, text: error?.message ?? '', outcome, ...warningField };
    }
    default:
      return null;
  }
}
