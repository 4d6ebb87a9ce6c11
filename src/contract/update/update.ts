import { z } from 'zod';

export const updateResultSchema = z.enum(['completed', 'blocked', 'failed', 'no-op']);

/** The facts of one update. `story` is an id and a title, as in seed 004; elsewhere than in Ralph the id is a step or member. */
export const updateSchema = z.object({
  iteration: z.number().int().positive(),
  of: z.number().int().positive(),
  retry: z.number().int().nonnegative(),
  story: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
  /** Which evidence named the story. */
  storySource: z.enum(['prd', 'commit', 'message', 'progress', 'handed', 'step', 'none']),
  result: updateResultSchema,
  commit: z.string().nullable(),
  /** One to three lines. */
  summary: z.array(z.string()).min(1).max(3),
});
export type Update = z.infer<typeof updateSchema>;

/**
 * The message that an iteration posts, in the exact form of seed 004 section 7: five labelled lines,
 * a summary's second and third line following without a label.
 */
export function formatUpdate(update: Update): string {
  const retry = update.retry > 0 ? ` (retry ${update.retry})` : '';
  const story = update.story === null ? 'unknown' : `${update.story.id} - ${update.story.title ?? 'unknown'}`;
  return [
    `Iteration ${update.iteration}/${update.of}${retry}`,
    `Story: ${story}`,
    `Result: ${update.result}`,
    `Commit: ${update.commit ?? 'none'}`,
    `Summary: ${update.summary[0] ?? ''}`,
    ...update.summary.slice(1, 3),
  ].join('\n');
}
