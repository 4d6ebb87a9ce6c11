import type { TurnOutcome } from '@areas/sessions/contract/session';
import type { StoredEvent } from './events';

/** Moments of a run that an operator looks for in its history. */
export type MarkKind = 'gate' | 'failure' | 'retry' | 'restart' | 'end';

export interface Mark {
  readonly seq: number;
  readonly at: number;
  readonly kind: MarkKind;
  readonly title: string;
}

type MarkLabel = Pick<Mark, 'kind' | 'title'>;

const FAILED_TURNS: readonly TurnOutcome[] = ['failed', 'refused', 'max_requests'];

export function markOf({ seq, at, event }: Pick<StoredEvent, 'seq' | 'at' | 'event'>): Mark | null {
  const moment = momentOf(event);
  return moment === null ? null : { seq, at, ...moment };
}

function momentOf(event: StoredEvent['event']): MarkLabel | null {
  switch (event.type) {
    case 'gate.opened':
      return { kind: 'gate', title: `Question: ${event.title}` };
    case 'activation.finished':
      if (event.outcome !== 'failed') return null;
      return { kind: 'failure', title: `A step failed: ${event.error?.message ?? 'no reason given'}` };
    case 'turn.finished':
      return FAILED_TURNS.includes(event.outcome)
        ? { kind: 'failure', title: `A turn failed: ${event.error?.message ?? event.stopReason}` }
        : null;
    case 'lane.failed':
      return { kind: 'failure', title: `${event.lane} failed: ${event.error.message}` };
    case 'activation.started':
      return event.attempt > 1
        ? { kind: 'retry', title: `${event.stepId} began again, attempt ${event.attempt}` }
        : null;
    case 'run.resumed':
      return { kind: 'retry', title: 'The run was resumed' };
    case 'turn.interrupted':
      return { kind: 'restart', title: 'A turn was interrupted' };
    case 'command.interrupted':
      return { kind: 'restart', title: 'A command was interrupted' };
    case 'session.reattached':
      return { kind: 'restart', title: 'Muster was restarted and took up a session' };
    case 'run.finished':
      return { kind: 'end', title: `The run ended: ${event.outcome}` };
    default:
      return null;
  }
}
