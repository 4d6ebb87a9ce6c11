import type { PullPreview } from './pull';
import { visibleText } from './untrusted';

/** As long as a text of a pull request may be. */
const SHOWN = 60_000;

/** Everything that opening or updating a pull request sends, in lines for a person. */
export const previewLines = (preview: PullPreview): string[] => {
  const { repository, host, head, base, title, body, draft, reviewers, labels, updates, files } = preview;
  const push = `Push ${head.commit.slice(0, 12)} (${files} ${files === 1 ? 'file' : 'files'}) to ${host}/${head.repository}, branch ${head.branch}`;
  if (updates !== null) return [push, `This updates #${updates} of ${repository}. Nothing else is sent.`];
  return [
    push,
    `Open a ${draft ? 'draft ' : ''}pull request in ${host}/${repository}, into ${base}`,
    ...(reviewers.length === 0 ? [] : [`Reviewers: ${reviewers.join(', ')}`]),
    ...(labels.length === 0 ? [] : [`Labels: ${labels.join(', ')}`]),
    '',
    title,
    '',
    ...visibleText(body, SHOWN).split('\n'),
    '',
  ];
};
