import { whole } from '@contract/bounds';
import { newKeySchema, runIdSchema, terminalNameSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { turnKindSchema } from '@contract/run/turn/events';
import { z } from 'zod';
import { observedStateSchema } from './session';
import { sessionStandingSchema } from './standing';

const terminalRowSchema = lazyObject(() => ({
  name: terminalNameSchema,
  /** What runs in it: the command, or the owner of the shell. */
  title: z.string(),
  state: z.enum(['running', 'ended', 'failed', 'interrupted']),
  since: z.number(),
  /** How it ended, or why it no longer exists. */
  why: z.string().nullable(),
  sessionId: z.number().int().nullable(),
  bytes: z.number(),
}));
export type TerminalRow = z.infer<typeof terminalRowSchema>;

const observedSchema = z.object({
  state: observedStateSchema.exclude(['working']),
  since: z.number(),
  reason: z.string(),
});

const sessionRowSchema = lazyObject(() => ({
  sessionId: z.number().int(),
  profileId: z.string(),
  /** The name of the profile. */
  profileName: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  status: sessionStandingSchema,
  /** A turn is in flight. */
  working: z.boolean(),
  since: z.number(),
  /** The observed state of its agent in the turn in flight; null: working, or not observable. */
  observed: z
    .lazy(() => observedSchema)
    .nullable()
    .default(null),
  /** The host on which its turn works, if that cannot be reached. */
  lostHost: z.object({ host: z.string(), since: z.number() }).nullable().default(null),
  reason: z.string().nullable(),
  cwd: z.string().nullable(),
  turnIds: z.array(z.number().int()),
  /** Position and state of the last turn in its chain. */
  lastTurn: z
    .object({
      turnId: z.number().int(),
      kind: turnKindSchema,
      ordinal: z.number().int(),
      of: z.number().int(),
    })
    .nullable(),
  /** The step that it works for, and which of its agents it is if there are several. */
  stepId: z.string().nullable(),
  stepTitle: z.string().nullable(),
  role: z.string().nullable(),
  branch: z.string().nullable(),
  /** Number of its gates that wait for the operator. */
  openGates: z.number().int(),
  /** Its agent waits for a message of the operator that is not a gate. */
  awaits: z.boolean().default(false),
  /** Number of the operator's prompts not sent yet. */
  queued: z.number().int(),
  /** Total of all turns that reported tokens. */
  tokens: z.number(),
  costUsd: z.number(),
}));
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** A run with its current and former sessions and terminals. */
const workplaceSchema = lazyObject(() => ({
  runId: runIdSchema,
  runUid: z.string(),
  runName: z.string(),
  at: z.number(),
  sessions: z.array(sessionRowSchema),
  terminals: z.array(terminalRowSchema),
}));
export type Workplace = z.infer<typeof workplaceSchema>;

const one = { runId: runIdSchema, sessionId: whole() };

export const sessionProcedures = {
  /**
   * Sends the operator's prompt to a session as soon as the session is free, also in a finished run. The
   * prompt is not a part of the step's chain.
   */
  'session.prompt': {
    input: lazyObject(() => ({
      ...one,
      key: newKeySchema,
      text: z.string().trim().min(1),
      attachments: z.array(z.string()).default([]),
    })),
    output: lazyObject(() => ({ promptId: z.number().int() })),
  },
  'session.withdrawPrompt': {
    input: lazyObject(() => ({ runId: runIdSchema, promptId: whole() })),
    output: z.object({}),
  },
  /** Ends the turn in flight; the agent keeps its session. */
  'session.cancelTurn': { input: z.lazy(() => z.object(one)), output: z.object({}) },
  /** Ends the process of an idle session; the session can be resumed. */
  'session.park': { input: z.lazy(() => z.object(one)), output: z.object({}) },
  /** Runs that work now or worked last, newest first. */
  'session.list': {
    input: lazyObject(() => ({ limit: whole().min(1).max(100).default(40) })),
    output: z.lazy(() => z.array(workplaceSchema)),
  },
  /** The location of a terminal's output. */
  'terminal.get': {
    input: lazyObject(() => ({ runId: runIdSchema, name: terminalNameSchema })),
    output: lazyObject(() => ({ outputPath: z.string() })),
  },
} as const;
