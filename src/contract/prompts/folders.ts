import { z } from 'zod';

/**
 * A folder with texts of the operator's own, in it one folder for each set. It wins over those of the project; where two
 * are given, the first wins.
 */
export const promptFolderSchema = z.object({
  /** Absolute. */
  path: z.string().min(1),
  /** What named it: a flag of the command line, or the environment variable. */
  from: z.enum(['flag', 'variable']),
});
export type PromptFolder = z.infer<typeof promptFolderSchema>;

/** The environment variable that names a folder of texts. */
export const PROMPTS_VARIABLE = 'MUSTER_PROMPTS';
