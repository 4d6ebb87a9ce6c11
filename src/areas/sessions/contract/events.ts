import { appErrorSchema } from '@contract/errors';
import { localIdSchema, timestampSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { z } from 'zod';
import { capabilitiesSchema, observedStateSchema, openingSchema } from './session';

const id = localIdSchema;

/**
 * In a step with several parallel agents, each has a lane: a chain of turns in its own session. Absent if a
 * step has one agent.
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
    /** Absent: the run's own workspace. */
    workspaceId: id.optional(),
    opening: openingSchema.optional(),
    /** The key of the session in an earlier run that it replaces. */
    insteadOf: z.string().optional(),
  })),
  /** An activation uses a session that already exists. */
  event('session.assigned', () => ({ sessionId: id, activationId: id, lane })),
  event('session.resuming', () => ({ sessionId: id })),
  event('session.ready', () => ({
    sessionId: id,
    providerSessionId: z.string().nullable(),
    agent: z.string(),
    cwd: z.string(),
    capabilities: capabilitiesSchema,
    /** False after a resume: the agent still remembers the conversation. */
    fresh: z.boolean(),
    notice: z.string().nullable(),
  })),
  event('session.failed', () => ({ sessionId: id, error: appErrorSchema })),
  event('session.parked', () => ({ sessionId: id, reason: z.string() })),
  /** Its process ended unexpectedly. */
  event('session.lost', () => ({ sessionId: id, reason: z.string() })),
  event('session.closed', () => ({ sessionId: id })),
  /** The core restarted, and the session's program survived and continues. */
  event('session.reattached', () => ({
    sessionId: id,
    /** The turn in flight that continues; null: there was none, or it was interrupted. */
    turnId: id.nullable(),
  })),
  /** The observed state of its agent changed in this turn. A turn starts as `working`. */
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
