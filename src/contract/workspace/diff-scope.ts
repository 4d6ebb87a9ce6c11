import { z } from 'zod';
import { localIdSchema } from '../ids';

/**
 * Which changes: of one turn, of all turns of a session, of a session's whole workspace since its creation,
 * or those that a merge of a team member would make in the checkout.
 */
export const diffScopeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('turn'), turnId: localIdSchema }),
    z.object({ kind: z.literal('session'), sessionId: localIdSchema }),
    z.object({ kind: z.literal('workspace'), sessionId: localIdSchema }),
    z.object({ kind: z.literal('merge'), activationId: localIdSchema, mergeId: localIdSchema }),
  ]),
);
export type DiffScope = z.infer<typeof diffScopeSchema>;
