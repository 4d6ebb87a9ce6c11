import type { z } from 'zod';
import { type AppError, appError } from '../errors';
import { findingsOf } from '../findings';
import { checkOf } from '../schema-check';
import { eventKinds, type RunEvent } from './events';

interface Check {
  readonly schema: z.ZodType<RunEvent>;
  /** A fast check: true only if the schema accepts the event. */
  readonly accepts: (event: unknown) => boolean;
}

const schemas = new Map<string, z.ZodType<RunEvent>>(eventKinds.map(({ type, schema }) => [type, schema]));
const checks = new Map<string, Check>();

/** Made for the first event of a type: a run has few of them. */
function checkFor(type: string): Check | null {
  const known = checks.get(type);
  if (known !== undefined) return known;
  const schema = schemas.get(type);
  if (schema === undefined) return null;
  const made = { schema, accepts: checkOf(schema) };
  checks.set(type, made);
  return made;
}

interface Stamped {
  readonly at: number;
  readonly event: RunEvent;
}

/** The first error in events that are to be stored together. */
export function firstEventFault(events: readonly Stamped[]): AppError | null {
  for (const one of events) {
    const fault = eventFault(one);
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Why an event must not be stored: its schema would reject it when read back. Null if it is valid. Schemas
 * reject everything that JSON would change (NaN, infinite numbers, undefined in a list, dates).
 */
function eventFault({ at, event }: Stamped): AppError | null {
  const check = checkFor(event.type);
  if (check === null) return refusal(event.type, 'this type of event is not known');
  if (!Number.isSafeInteger(at) || at < 0)
    return refusal(event.type, `its time ${at} is not a whole number of milliseconds after 1970`);
  if (check.accepts(event)) return null;
  const parsed = check.schema.safeParse(event, { jitless: true });
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
