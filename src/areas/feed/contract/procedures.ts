import { whole } from '@contract/bounds';
import { runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { updateResultSchema, updateSchema } from './update';

export const updateRowSchema = lazyObject(() => ({
  /** Event id: the feed's order and cursor. */
  id: z.number().int(),
  runId: runIdSchema,
  runName: z.string(),
  activationId: z.number().int(),
  turnId: z.number().int().nullable(),
  stepId: z.string(),
  at: z.number(),
  update: updateSchema,
  text: z.string(),
}));
export type UpdateRow = z.infer<typeof updateRowSchema>;

/** What a hit was found in: a run's name and task, a prompt or answer, a message, a question or an update. */
export const searchKindSchema = z.enum(['update', 'turn', 'message', 'gate', 'run']);
export type SearchKind = z.infer<typeof searchKindSchema>;

const searchHitSchema = lazyObject(() => ({
  kind: searchKindSchema,
  eventId: z.number().int(),
  runId: runIdSchema,
  runName: z.string(),
  turnId: z.number().int().nullable(),
  at: z.number(),
  excerpt: z.string(),
  /** For a question. */
  gateId: z.number().int().optional(),
  /** For a message, with its step. */
  messageId: z.number().int().optional(),
  activationId: z.number().int().optional(),
}));
export type SearchHit = z.infer<typeof searchHitSchema>;

/** A line printed in a terminal. */
const terminalHitSchema = lazyObject(() => ({
  runId: runIdSchema,
  runName: z.string(),
  terminal: z.string(),
  openedAt: z.number(),
  excerpt: z.string(),
}));
export type TerminalHit = z.infer<typeof terminalHitSchema>;

const feedMarksSchema = lazyObject(() => ({
  readTo: z.number().int(),
  unread: z.number().int(),
  /** Newer updates that were opened. */
  opened: z.array(z.number().int()),
}));
export type FeedMarks = z.infer<typeof feedMarksSchema>;

export const updateProcedures = {
  'feed.list': {
    input: lazyObject(() => ({
      before: whole().optional(),
      /** The rows next newer than this one, still newest first; `more` then means that there are newer ones. */
      after: whole().optional(),
      limit: whole().min(1).max(500).default(100),
      runId: runIdSchema.optional(),
      stepId: z.string().optional(),
      /** The id of the agent's profile. */
      agent: z.string().optional(),
      result: updateResultSchema.optional(),
      search: z.string().optional(),
    })),
    output: lazyObject(() => ({ rows: z.array(updateRowSchema), more: z.boolean() })),
  },
  /** The available feed filters. */
  'feed.sources': {
    input: z.object({}),
    output: lazyObject(() => ({ steps: z.array(z.string()), agents: z.array(z.string()) })),
  },
  /** The last update that the operator has read, and how many are newer, counted up to 1,000. */
  'feed.marks': { input: z.object({}), output: feedMarksSchema },
  /** Marks one update as read, without those before it. */
  'feed.markOpened': {
    input: lazyObject(() => ({ id: whole().positive() })),
    output: feedMarksSchema,
  },
  'feed.markRead': {
    input: lazyObject(() => ({ upTo: whole().nonnegative() })),
    output: feedMarksSchema,
  },
  /**
   * Searches prompts, responses, messages, questions and updates. Newest first, never by rank (ranking a
   * common word would take half a second).
   */
  'search.query': {
    input: lazyObject(() => ({
      text: z.string(),
      before: whole().optional(),
      limit: whole().max(200).default(50),
      kind: searchKindSchema.optional(),
      projectId: whole().optional(),
      runId: runIdSchema.optional(),
    })),
    output: lazyObject(() => ({
      hits: z.array(searchHitSchema),
      more: z.boolean(),
      indexedTo: z.number(),
      behind: z.number().default(0),
    })),
  },
  /** Lines of the newest terminals that contain all words. `partial`: older output was not searched. */
  'search.terminals': {
    input: lazyObject(() => ({
      text: z.string(),
      limit: whole().max(200).default(50),
      projectId: whole().optional(),
      runId: runIdSchema.optional(),
    })),
    output: lazyObject(() => ({ hits: z.array(terminalHitSchema), partial: z.boolean() })),
  },
} as const;
