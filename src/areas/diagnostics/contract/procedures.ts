import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';

/** A file of the archive, as the operator sees it before saving. */
const diagnosticFileSchema = lazyObject(() => ({ name: z.string(), bytes: z.number().int() }));
export type DiagnosticFile = z.infer<typeof diagnosticFileSchema>;

const filesSchema = z.lazy(() => z.array(diagnosticFileSchema));

export const diagnosticProcedures = {
  /** What the archive would contain. */
  'diagnostics.list': { input: z.object({}), output: lazyObject(() => ({ files: filesSchema })) },
  /** Writes the archive. Never overwrites a file. */
  'diagnostics.save': {
    input: lazyObject(() => ({ path: z.string().min(1) })),
    output: lazyObject(() => ({ path: z.string(), bytes: z.number().int(), files: filesSchema })),
  },
} as const;
