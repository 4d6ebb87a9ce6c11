/*
 * Finds story ids if there is no prd.json. Only forms in which workers deliberately name their story count:
 * an id within a sentence may be a standard, a ticket or an encoding.
 */

interface NamedStory {
  readonly id: string;
  readonly title: string | null;
}

const ID = '[A-Z][A-Z0-9]{0,9}-\\d{1,6}';
/** Names that only look like ids. */
const NO_STORY = /^(?:UTF|SHA|MD|AES|RSA|ISO|RFC|CVE|HTTP|TLS|ES|CP|BASE|INT|UINT)-\d/;
/** `feat: [US-001] - Title`, `feat(ui): US-001: Title`, `US-001 - Title`, `[US-001] Title`. */
const SUBJECT = new RegExp(
  `^(?:\\w+(?:\\([^)]*\\))?!?:\\s*)?(?:\\[(${ID})\\]|(${ID})(?=\\s*[-:\\u2013\\u2014]|$))\\s*[-:\\u2013\\u2014]?\\s*(.*)$`,
);
/** `## 2026-01-31 - US-001`, as in ralph's instructions. */
const HEADING = new RegExp(`^#{1,4}\\s.*?\\b(${ID})\\b(?:\\s*[-:\\u2013\\u2014]\\s*(.*))?`);

const named = (id: string | undefined, title: string | undefined): NamedStory[] =>
  id === undefined || NO_STORY.test(id) ? [] : [{ id, title: title?.trim() || null }];

/** From the newest commit that names one; newest first. */
export function storyInSubjects(subjects: readonly string[]): NamedStory | null {
  const found = subjects.flatMap((subject) => {
    const [, bracketed, bare, title] = SUBJECT.exec(subject) ?? [];
    return named(bracketed ?? bare, title);
  });
  return found[0] ?? null;
}

/** From the last heading among the lines that the attempt appended. */
export function storyInProgress(progress: string): NamedStory | null {
  const found = progress.split('\n').flatMap((line) => {
    const [, id, title] = HEADING.exec(line) ?? [];
    return named(id, title);
  });
  return found.at(-1) ?? null;
}
