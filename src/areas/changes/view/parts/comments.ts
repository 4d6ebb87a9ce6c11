import type { HunkLine } from '../../contract/hunk-lines';

/** The operator's comment on a line of a diff; it is sent with the next prompt. */
export interface LineComment {
  readonly path: string;
  /** The new line number; the old one if the line was removed. */
  readonly line: number;
  readonly gone: boolean;
  /** The text of the line. */
  readonly text: string;
  readonly comment: string;
}

/** Changes the list of comments. */
export type ChangeComments = (to: (now: readonly LineComment[]) => readonly LineComment[]) => void;

export const commentOn = (path: string, line: HunkLine, comment: string): LineComment => ({
  path,
  line: line.fresh ?? line.old ?? 1,
  gone: line.fresh === null,
  text: line.text,
  comment,
});

export const sameLine = (a: LineComment, b: LineComment): boolean =>
  a.path === b.path && a.line === b.line && a.gone === b.gone;

/** Replaces a comment on the same line; an empty one removes it. Sorted by path and line. */
export function putComment(comments: readonly LineComment[], comment: LineComment): LineComment[] {
  const others = comments.filter((other) => !sameLine(other, comment));
  const all = comment.comment.trim() === '' ? others : [...others, comment];
  return all.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** Parses saved comments; unreadable text gives none. */
export function readComments(text: string): LineComment[] {
  try {
    const value: unknown = JSON.parse(text === '' ? '[]' : text);
    return Array.isArray(value) ? value.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is LineComment {
  if (typeof value !== 'object' || value === null) return false;
  const { path, line, gone, text, comment } = value as Record<string, unknown>;
  const texts = [path, text, comment].every((part) => typeof part === 'string');
  return texts && typeof line === 'number' && typeof gone === 'boolean';
}

/** The prompt to send: the operator's text, then the comments, each with its place and line. */
export function promptOf(written: string, comments: readonly LineComment[]): string {
  const listed = comments.map(({ path, line, gone, text, comment }) => {
    const place = `- \`${path}:${line}\`${gone ? ' (a removed line)' : ''}`;
    const said = comment.trim().replaceAll('\n', '\n  ');
    return `${place}\n  > ${text.trim()}\n\n  ${said}`;
  });
  const head =
    comments.length === 1 ? 'About this line of your changes:' : 'About these lines of your changes:';
  const parts = [written.trim(), comments.length === 0 ? '' : `${head}\n\n${listed.join('\n')}`];
  return parts.filter((part) => part !== '').join('\n\n');
}
