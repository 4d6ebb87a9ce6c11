import { z } from 'zod';
import { runIdSchema } from '../ids';

/** A terminal by its name within its run: `c3` of command 3, `s1-0` the shell of session 1, `s1-2` one beside it. */
export const terminalNameSchema = z.string().regex(/^(c\d+|s\d+-\d+)$/);

export const terminalRowSchema = z.object({
  name: terminalNameSchema,
  /** What runs in it: the command, or whose shell it is. */
  title: z.string(),
  state: z.enum(['running', 'ended', 'failed', 'interrupted']),
  since: z.number(),
  /** How it ended, or why it is not there any more. */
  why: z.string().nullable(),
  sessionId: z.number().int().nullable(),
  bytes: z.number(),
});
export type TerminalRow = z.infer<typeof terminalRowSchema>;

export const sessionRowSchema = z.object({
  sessionId: z.number().int(),
  profileId: z.string(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  status: z.enum(['starting', 'resuming', 'ready', 'parked', 'lost', 'failed', 'closed']),
  /** A turn is in flight. */
  working: z.boolean(),
  since: z.number(),
  reason: z.string().nullable(),
  cwd: z.string().nullable(),
  turnIds: z.array(z.number().int()),
});
export type SessionRow = z.infer<typeof sessionRowSchema>;

/** A run with the sessions and terminals that it has or had. */
export const workplaceSchema = z.object({
  runId: runIdSchema,
  runUid: z.string(),
  runName: z.string(),
  at: z.number(),
  sessions: z.array(sessionRowSchema),
  terminals: z.array(terminalRowSchema),
});
export type Workplace = z.infer<typeof workplaceSchema>;

export const sessionProcedures = {
  /** The runs that work now and the last ones that did, newest first. */
  'session.list': {
    input: z.object({ limit: z.number().int().min(1).max(100).default(40) }),
    output: z.array(workplaceSchema),
  },
  /** Where a terminal's output is. */
  'terminal.get': {
    input: z.object({ runId: runIdSchema, name: terminalNameSchema }),
    output: z.object({ outputPath: z.string() }),
  },
} as const;
