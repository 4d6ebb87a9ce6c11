import { whole } from '@contract/bounds';
import { lazily } from '@contract/lazy-value';
import { z } from 'zod';
import { oneLine } from './plain-line';

export const updateResultSchema = z.enum(['completed', 'blocked', 'failed', 'no-op']);

/**
 * The facts of one update. `story` is an id and a title, as in seed 004; outside of Ralph the id is a step or
 * member.
 */
export const updateSchema = z.object({
  iteration: whole().positive(),
  of: whole().positive(),
  retry: whole().nonnegative(),
  story: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
  /** The evidence that named the story. */
  storySource: z.enum(['prd', 'commit', 'message', 'progress', 'handed', 'step', 'none']),
  result: updateResultSchema,
  commit: z.string().nullable(),
  /** One to three lines. */
  summary: z.array(z.string()).min(1).max(3),
});
export type Update = z.infer<typeof updateSchema>;

/** A worker's line that looks like one of the five labels. */
const labelled = lazily(
  () => /^[\s\p{Cf}]*(?:Iteration\s+\d+\s*\/\s*\d+|(?:Story|Result|Commit|Summary)\s*[:\uFF1A])/iu,
);

/**
 * A summary's further lines start at the beginning of a line, so lines that imitate a label are marked as
 * quoted.
 */
const unlabelled = (line: string): string => (labelled().test(line) ? `> ${line}` : line);

/**
 * The update's message, in the exact form of seed 004 section 7: five labelled lines; the second and third
 * line of a summary have no label.
 */
export function formatUpdate(update: Update): string {
  const retry = update.retry > 0 ? ` (retry ${update.retry})` : '';
  const { story } = update;
  // Titles in a plan may contain line breaks, which would add lines or imitate labels.
  const named =
    story === null ? 'unknown' : `${oneLine(story.id)} - ${oneLine(story.title ?? '') || 'unknown'}`;
  const summary = update.summary.slice(0, 3).map(oneLine);
  return [
    `Iteration ${update.iteration}/${update.of}${retry}`,
    `Story: ${named}`,
    `Result: ${update.result}`,
    `Commit: ${update.commit ?? 'none'}`,
    `Summary: ${summary[0] ?? ''}`,
    ...summary.slice(1).map(unlabelled),
  ].join('\n');
}
