import type { PullText } from '../contract/pull';
import { oneLine, visibleText } from '../contract/untrusted';

const MOST_WORDS = 6_000;

interface Work {
  readonly runName: string;
  /** The last answer of the agent; null if it gave none. */
  readonly answer: string | null;
  readonly issue: number | null;
}

/** The title and text that are proposed for a result. */
export function proposedText({ runName, answer, issue }: Work): Pick<PullText, 'title' | 'body'> {
  const words = answer === null ? '' : visibleText(answer, MOST_WORDS);
  const closes = issue === null ? '' : `Closes #${issue}`;
  return { title: oneLine(runName, 200), body: [words, closes].filter(Boolean).join('\n\n') };
}

/** Finds a pull request whose creation was cut off, and is not shown to readers. */
export const markOf = (key: string): string => `<!-- muster:${key} -->`;

export const markedBody = (body: string, key: string): string => `${body}\n\n${markOf(key)}`;
