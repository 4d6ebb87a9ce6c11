import { own } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { TrialEntry } from '@contract/workflow/trial';

interface Seen {
  /** The run at its end. */
  readonly state: RunState;
  /** What was answered at each gate. */
  readonly answers: ReadonlyMap<number, string>;
  /** Whether the work of a step was left out. */
  outside(step: string): boolean;
}

/** What a dry run tells of an event; null where it is no news. */
export function entryOf(event: RunEvent, { state, answers, outside }: Seen): TrialEntry | null {
  const stepOf = (activationId: number | null): string =>
    state.activations[activationId ?? 0]?.stepId ?? 'run';
  switch (event.type) {
    case 'turn.dispatched': {
      const profile = state.sessions[event.sessionId]?.profileId;
      const agent = own(state.profiles, profile ?? '')?.name ?? profile ?? 'agent';
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
      return { kind: 'skip', step: event.stepId, text: event.reason };
    case 'activation.finished': {
      const { outcome, error, warnings } = event;
      const id = stepOf(event.activationId);
      if (outside(id)) return { kind: 'not_simulated', step: id, text: 'its work is left out of a dry run' };
      const told = warnings.length === 0 ? {} : { warnings };
      return { kind: 'end', step: id, text: error?.message ?? '', outcome, ...told };
    }
    default:
      return null;
  }
}
