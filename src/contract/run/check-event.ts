import type { z } from 'zod';
import { type AppError, appError } from '../errors';
import { findingsOf } from '../findings';
import { eventKinds, type RunEvent } from './events';

/**
 * So many events of a type are checked plainly before zod may compile a parser for their schema: that takes longer than
 * to check some hundred events without one, and a start writes few events of each type.
 */
const PLAIN = 200;

interface Check {
  readonly schema: z.ZodType<RunEvent>;
  checked: number;
}

const checks = new Map<string, Check>(eventKinds.map(({ type, schema }) => [type, { schema, checked: 0 }]));

interface Stamped {
  readonly at: number;
  readonly event: RunEvent;
}

/** The first fault of events that are to be stored together. */
export function firstEventFault(events: readonly Stamped[]): AppError | null {
  for (const one of events) {
    const fault = eventFault(one);
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Why an event must not be stored: its own schema would refuse it when it is read again. Null where it is valid. The
 * schemas refuse everything that JSON changes (NaN, infinite numbers, undefined in a list, dates).
 */
function eventFault({ at, event }: Stamped): AppError | null {
  const check = checks.get(event.type);
  if (check === undefined) return refusal(event.type, 'this type of event is not known');
  if (!Number.isSafeInteger(at) || at < 0)
    return refusal(event.type, `its time ${at} is not a whole number of milliseconds after 1970`);
  check.checked += 1;
  const parsed = check.schema.safeParse(event, check.checked > PLAIN ? undefined : { jitless: true });
  if (parsed.success) return null;
  const [first] = findingsOf(parsed.error);
  return refusal(event.type, first === undefined ? 'it is not valid' : `${first.path}: ${first.message}`);
}

const refusal = (type: string, why: string): AppError =>
  appError(
    'store.invalid_event',
    `Muster refused to store "${type}", which could not be read again: ${why}.`,
    {
      mend: 'Nothing was changed. If you entered a number or a name, correct it; otherwise please report this fault.',
    },
  );
