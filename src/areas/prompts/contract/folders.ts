import { z } from 'zod';

/**
 * A folder with the operator's own prompt texts, with a subfolder for each set. It overrides the project's
 * texts; the first of several folders wins.
 */
export const promptFolderSchema = z.object({
  /** Absolute path. */
  path: z.string().min(1),
  /** Where the folder was named: in a command-line flag or the environment variable. */
  from: z.enum(['flag', 'variable']),
});
export type PromptFolder = z.infer<typeof promptFolderSchema>;

/** The environment variable that names a folder of prompt texts. */
export const PROMPTS_VARIABLE = 'MUSTER_PROMPTS';
