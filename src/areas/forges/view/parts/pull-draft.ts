import { readFormDraft } from '@renderer/parts/controls/form-draft';
import type { PullPreview, PullText } from '../../contract/pull';
import { pullTextSchema } from '../../contract/pull';

/** The fields of the form as texts, so that a half-written one is kept. */
export interface PullDraft {
  readonly title: string;
  readonly body: string;
  readonly base: string;
  readonly reviewers: string;
  readonly labels: string;
  readonly draft: 'yes' | '';
}

const draftOf = (proposed: PullPreview): PullDraft => ({
  title: proposed.title,
  body: proposed.body,
  base: proposed.base,
  reviewers: proposed.reviewers.join(', '),
  labels: proposed.labels.join(', '),
  draft: proposed.draft ? 'yes' : '',
});

/** What was written before, over what is proposed now. */
export const keptDraft = (kept: string, proposed: PullPreview): PullDraft =>
  readFormDraft<PullDraft>(kept, draftOf(proposed));

const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim().replace(/^@/, ''))
      .filter((one) => one !== ''),
  ),
];

/** The text to send; null with the field that is wrong. */
export function textOfDraft(draft: PullDraft): { text: PullText | null; wrong: string | null } {
  const { title, body, base, draft: isDraft } = draft;
  const read = pullTextSchema.safeParse({
    ...{ title, body, base: base.trim(), draft: isDraft === 'yes' },
    reviewers: listOf(draft.reviewers),
    labels: listOf(draft.labels),
  });
  if (read.success) return { text: read.data, wrong: null };
  return { text: null, wrong: String(read.error.issues[0]?.path[0] ?? '') };
}
