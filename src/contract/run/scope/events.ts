import { z } from 'zod';
import { appErrorSchema } from '../../errors';
import { localIdSchema } from '../../ids';
import { wholeTextSchema } from '../../whole-text';
import { type EventIn, event } from '../event-table';
import { runOutcomeSchema } from '../lifecycle/events';
import { scopePathSchema } from './path';

const id = localIdSchema;

export const scopeEvents = [
  /** An activation opens a scope: the steps of its body run there. */
  event('scope.opened', () => ({
    scope: scopePathSchema,
    activationId: id,
    /** Counts from 1 in the activation; null if it opens only one. */
    index: id.nullable(),
    /** Variables for references in the scope: `LOOP_PREV_OUTPUT`, `ITEM`. */
    values: z.record(z.string(), wholeTextSchema),
    /** `$INPUTS` of a called workflow; absent: the enclosing scope's inputs apply. */
    inputs: z.record(z.string(), wholeTextSchema).optional(),
    /** The scope that it continues from: the loop's previous pass. */
    after: scopePathSchema.optional(),
    /** Steps that change files work in a worktree of their own. */
    isolated: z.literal(true).optional(),
  })),
  /** No more steps start in it; it ends once none is running. */
  event('scope.stop-requested', () => ({ scope: scopePathSchema })),
  /** All steps of the scope are decided. Its output is that of its steps. */
  event('scope.ended', () => ({
    scope: scopePathSchema,
    outcome: runOutcomeSchema,
    error: appErrorSchema.nullable(),
  })),
] as const;
export type ScopeEvent = EventIn<typeof scopeEvents>;
