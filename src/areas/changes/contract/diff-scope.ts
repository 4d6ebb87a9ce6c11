import { localIdSchema } from '@contract/ids';
import { z } from 'zod';

/**
 * Which changes: of one turn, of all turns of a session, of a session's whole workspace since its creation, or
 * those on an output of a step. Also those that merging a member's work, or applying a result, would make in the
 * checkout.
 */
export const diffScopeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('turn'),
      turnId: localIdSchema,
      /** As the operator left the folder, if nothing else has worked there since. */
      asLeft: z.literal(true).optional(),
    }),
    z.object({ kind: z.literal('capture'), captureId: localIdSchema }),
    z.object({ kind: z.literal('session'), sessionId: localIdSchema }),
    z.object({ kind: z.literal('workspace'), sessionId: localIdSchema }),
    z.object({ kind: z.literal('merge'), activationId: localIdSchema, mergeId: localIdSchema }),
    z.object({ kind: z.literal('result'), step: z.string().optional() }),
  ]),
);
export type DiffScope = z.infer<typeof diffScopeSchema>;
