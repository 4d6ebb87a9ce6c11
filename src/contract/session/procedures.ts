import { z } from 'zod';
import { newKeySchema, runIdSchema, terminalNameSchema } from '../ids';
import { turnKindSchema } from '../run/turn/events';
import { observedStateSchema } from './session';
import { sessionStandingSchema } from './standing';

export const terminalRowSchema = z.lazy(() =>
  z.object({
    name: terminalNameSchema,
    /** What runs in it: the command, or whose shell it is. */
    title: z.string(),
    state: z.enum(['running', 'ended', 'failed', 'interrupted']),
    since: z.number(),
    /** How it ended, or why it is not there any more. */
    why: z.string().nullable(),
    sessionId: z.number().int().nullable(),
    bytes: z.number(),
  }),
);
export type TerminalRow = z.infer<typeof terminalRowSchema>;

const observedSchema = z.object({
  state: observedStateSchema.exclude(['working']),
  since: z.number(),
  reason: z.string(),
});

export const sessionRowSchema = z.lazy(() =>
  z.object({
    sessionId: z.number().int(),
    profileId: z.string(),
    agent: z.string().nullable(),
    model: z.string().nullable(),
    status: sessionStandingSchema,
    /** A turn is in flight. */
    working: z.boolean(),
    since: z.number(),
    /** How its agent was seen to be in the turn in flight; null: it was seen to work, or tells nothing of that. */
    observed: z
      .lazy(() => observedSchema)
      .nullable()
      .default(null),
    reason: z.string().nullable(),
    cwd: z.string().nullable(),
    turnIds: z.array(z.number().int()),
    /** The last turn: how far its chain has come and how it stands. */
    lastTurn: z
      .object({
        turnId: z.number().int(),
        kind: turnKindSchema,
        ordinal: z.number().int(),
        of: z.number().int(),
      })
      .nullable(),
    /** The step that it works for, and which of its agents it is where there are several. */
    stepId: z.string().nullable(),
    stepTitle: z.string().nullable(),
    role: z.string().nullable(),
    branch: z.string().nullable(),
    /** Gates of this session that wait for the operator. */
    openGates: z.number().int(),
    /** Prompts of the operator that are not sent yet. */
    queued: z.number().int(),
    /** Of all its turns that told. */
    tokens: z.number(),
    costUsd: z.number(),
  }),
);
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** A run with the sessions and terminals that it has or had. */
export const workplaceSchema = z.lazy(() =>
  z.object({
    runId: runIdSchema,
    runUid: z.string(),
    runName: z.string(),
    at: z.number(),
    sessions: z.array(sessionRowSchema),
    terminals: z.array(terminalRowSchema),
  }),
);
export type Workplace = z.infer<typeof workplaceSchema>;

const one = { runId: runIdSchema, sessionId: z.number().int() };

export const sessionProcedures = {
  /**
   * What the operator says in a session: it is sent as soon as the session is free, in a finished run too, and is no
   * part of what the step asked for.
   */
  'session.prompt': {
    input: z.lazy(() =>
      z.object({
        ...one,
        key: newKeySchema,
        text: z.string().trim().min(1),
        attachments: z.array(z.string()).default([]),
      }),
    ),
    output: z.lazy(() => z.object({ promptId: z.number().int() })),
  },
  'session.withdrawPrompt': {
    input: z.lazy(() => z.object({ runId: runIdSchema, promptId: z.number().int() })),
    output: z.object({}),
  },
  /** Ends the turn that is in flight; the agent keeps its session. */
  'session.cancelTurn': { input: z.lazy(() => z.object(one)), output: z.object({}) },
  /** Ends the process of a session that stands idle, and keeps what resumes it. */
  'session.park': { input: z.lazy(() => z.object(one)), output: z.object({}) },
  /** The runs that work now and the last ones that did, newest first. */
  'session.list': {
    input: z.lazy(() => z.object({ limit: z.number().int().min(1).max(100).default(40) })),
    output: z.lazy(() => z.array(workplaceSchema)),
  },
  /** Where a terminal's output is. */
  'terminal.get': {
    input: z.lazy(() => z.object({ runId: runIdSchema, name: terminalNameSchema })),
    output: z.lazy(() => z.object({ outputPath: z.string() })),
  },
} as const;
