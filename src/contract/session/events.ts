import { z } from 'zod';
import { appErrorSchema } from '../errors';
import { localIdSchema, timestampSchema } from '../ids';
import { type EventIn, event } from '../run/event-table';
import { capabilitiesSchema, observedStateSchema, openingSchema } from './session';

const id = localIdSchema;

/**
 * A step whose agents work beside each other has a lane for each: a chain of turns in a session of its own. Absent
 * where a step has one agent.
 */
export const lane = z.string().optional();

export const sessionEvents = [
  event('session.starting', () => ({
    sessionId: id,
    activationId: id,
    profileId: z.string(),
    model: z.string().nullable(),
    mode: z.string().nullable(),
    env: z.record(z.string(), z.string()),
    lane,
    /** Absent: it works in the run's own workspace. */
    workspaceId: id.optional(),
    opening: openingSchema.optional(),
    /** The key of the session of an earlier run that it takes the place of. */
    insteadOf: z.string().optional(),
  })),
  /** An activation takes up a session that already exists. */
  event('session.assigned', () => ({ sessionId: id, activationId: id, lane })),
  event('session.resuming', () => ({ sessionId: id })),
  event('session.ready', () => ({
    sessionId: id,
    providerSessionId: z.string().nullable(),
    agent: z.string(),
    cwd: z.string(),
    capabilities: capabilitiesSchema,
    /** False after a resume: the agent still knows what was said. */
    fresh: z.boolean(),
    notice: z.string().nullable(),
  })),
  event('session.failed', () => ({ sessionId: id, error: appErrorSchema })),
  event('session.parked', () => ({ sessionId: id, reason: z.string() })),
  /** Its process is gone without having been asked to go. */
  event('session.lost', () => ({ sessionId: id, reason: z.string() })),
  event('session.closed', () => ({ sessionId: id })),
  /** The core was started again, and the session's program has lived on: the same one continues. */
  event('session.reattached', () => ({
    sessionId: id,
    /** The turn that was in flight and continues with it; null: there was none, or it was cut off. */
    turnId: id.nullable(),
  })),
  /** Its agent was seen to be otherwise than before in this turn, which begins as working. */
  event('session.observed', () => ({
    sessionId: id,
    turnId: id,
    state: observedStateSchema,
    /** When that began: the last sign of life, or the question. */
    since: timestampSchema,
    reason: z.string(),
  })),
] as const;
export type SessionEvent = EventIn<typeof sessionEvents>;
