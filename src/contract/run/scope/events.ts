import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { type EventIn, event } from '../event-table';
import { runOutcomeSchema } from '../lifecycle/events';
import { scopePathSchema } from './path';

const id = localIdSchema;

export const scopeEvents = [
  /** An activation opens a scope: the steps of its body run there. */
  event('scope.opened', () => ({
    scope: scopePathSchema,
    activationId: id,
    /** Counts from 1 in the activation; null where it opens only one. */
    index: id.nullable(),
    /** Variables that references in the scope read: `LOOP_PREV_OUTPUT`, `ITEM`. */
    values: z.record(z.string(), z.string()),
    /** `$INPUTS` of a called workflow; absent where those of the scope around it hold. */
    inputs: z.record(z.string(), z.string()).optional(),
    /** The scope that it continues from: the pass of a loop before. */
    after: scopePathSchema.optional(),
    /** What changes files in it works in a worktree of its own. */
    isolated: z.literal(true).optional(),
  })),
  /** Nothing more is begun in it; it ends once nothing of it runs. */
  event('scope.stop-requested', () => ({ scope: scopePathSchema })),
  /** Every step of the scope is decided. Its output is that of its steps. */
  event('scope.ended', () => ({
    scope: scopePathSchema,
    outcome: runOutcomeSchema,
    error: appErrorSchema.nullable(),
  })),
] as const;
export type ScopeEvent = EventIn<typeof scopeEvents>;
