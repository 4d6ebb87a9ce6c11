import { diffScopeSchema } from '@areas/changes/contract/diff-scope';
import { evidencePartSchema } from '@areas/evidence/contract/evidence';
import { localIdSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { z } from 'zod';
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
    /** The subject of the decision itself: an agent's answer, a command, an error. */
    evidence: z.string().nullable(),
    /** The parts of the evidence. Absent in events of earlier versions. */
    evidence_parts: z.array(evidencePartSchema).optional(),
    /** File changes to decide on; they are read when the gate is shown. */
    changes: diffScopeSchema.optional(),
    request: permissionRequestSchema.nullable(),
    options: z.array(gateOptionSchema).min(1),
    /** Key by which the step finds this gate again, if it has several open gates. */
    about: z.string().optional(),
    /** The lane of the agent that it is about. Absent: that of its turn, if it has one. */
    lane: z.string().optional(),
    /** That agent, if the step has several. Set by the engine. */
    asker: gateAskerSchema.optional(),
    /**
     * Why the question is asked, if that is not obvious: for example that an earlier answer was for another
     * input.
     */
    why: z.string().nullable(),
    /** The permission rule that answers the gate in the same commit, so that the operator is not asked. */
    rule: z.string().optional(),
  })),
  event('gate.resolved', () => ({ gateId: id, answer: gateAnswerSchema, by: z.string() })),
  /** The answer reached the agent, at once or when the resumed turn repeated the question. */
  event('gate.delivered', () => ({ gateId: id, turnId: id })),
  event('gate.withdrawn', () => ({ gateId: id, reason: z.string() })),
] as const;
export type GateEvent = EventIn<typeof gateEvents>;
