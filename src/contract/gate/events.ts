import { z } from 'zod';
import { evidencePartSchema } from '../evidence/evidence';
import { localIdSchema } from '../ids';
import { type EventIn, event } from '../run/event-table';
import { diffOfSchema } from '../workspace/diff-of';
import {
  gateAnswerSchema,
  gateAskerSchema,
  gateKindSchema,
  gateOptionSchema,
  permissionRequestSchema,
} from './gate';

const id = localIdSchema;

export const gateEvents = [
  event('gate.opened', () => ({
    gateId: id,
    kind: gateKindSchema,
    activationId: id.nullable(),
    turnId: id.nullable(),
    sessionId: id.nullable(),
    commandId: id.nullable(),
    title: z.string(),
    message: z.string(),
    /** The thing to decide on, in place: an agent's answer, a command, an error. */
    evidence: z.string().nullable(),
    /** What the evidence consists of. Absent in events of earlier versions. */
    evidence_parts: z.array(evidencePartSchema).optional(),
    /** Changes of files that are to be decided on; they are read when the gate is shown. */
    changes: diffOfSchema.optional(),
    request: permissionRequestSchema.nullable(),
    options: z.array(gateOptionSchema).min(1),
    /** By what its step knows it again, where a step has several questions open at once. */
    about: z.string().optional(),
    /** Which of the step's agents it is about, as far as the step has several. The engine adds it. */
    asker: gateAskerSchema.optional(),
    /** Why it is asked, where that is not plain: for example that an earlier answer was for another input. */
    why: z.string().nullable(),
    /** The permission rule that answers it in the same commit, so the operator is not asked. */
    rule: z.string().optional(),
  })),
  event('gate.resolved', () => ({ gateId: id, answer: gateAnswerSchema, by: z.string() })),
  /** The answer reached the agent, at once or when the resumed turn asked the same again. */
  event('gate.delivered', () => ({ gateId: id, turnId: id })),
  event('gate.withdrawn', () => ({ gateId: id, reason: z.string() })),
] as const;
export type GateEvent = EventIn<typeof gateEvents>;
