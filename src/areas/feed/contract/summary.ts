import { ownValue, setOwnValue } from '@contract/own';
import { plainLine } from './plain-line';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LINE_LIMIT = 200;
/** Maximum characters of a line that are shown and searched for marks. */
const READ_LIMIT = 2_000;

/** A text's lines outside of fenced blocks, and those inside. An unclosed fence contains nothing. */
export function splitFences(text: string): { readonly outside: string[]; readonly inside: string[] } {
  const lines = text.split(/\r\n|\r|\n/);
  const [outside, inside]: [string[], string[]] = [[], []];
  // The shortest fence of each kind known to be unclosed, so that a text full of fences is read only once.
  const open: Record<string, number> = {};
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) {
      outside.push(line);
      continue;
    }
    const kind = mark.charAt(0);
    const end =
      mark.length >= (ownValue(open, kind) ?? Number.POSITIVE_INFINITY) ? -1 : closing(lines, index, mark);
    if (end < 0) setOwnValue(open, kind, Math.min(mark.length, ownValue(open, kind) ?? mark.length));
    else {
      inside.push(...lines.slice(index + 1, end));
      index = end;
    }
  }
  return { outside, inside };
}

function closing(lines: readonly string[], from: number, mark: string): number {
  for (let index = from + 1; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trim();
    if (line.startsWith(mark) && /^[`~]+$/.test(line)) return index;
  }
  return -1;
}

const HEADING = /^ {0,3}#{1,6}\s/;
/** A bold line is a heading if an empty line or a list follows. */
const BOLD = /^ {0,3}(?:\*\*|__)[^*_]+(?:\*\*|__)\s*$/;
const AFTER_BOLD = /^\s*(?:[-*+]\s|\d+[.)]\s|$)/;
/** A heading that is a whole sentence states a result. */
const SENTENCE = /[.!?]["')*_`\s#]*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;
/** A worker's own labelled line about its task; the update has a field for each. */
const FIELD = /^(?:iteration|story|result|status|commit|decision|verdict)\s*:/i;
/** A sentence that only introduces what follows, such as "Looking at it again:". */
const LEAD_IN = /:$/;

/** A line without content of its own. */
function isPreface(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  const next = lines[index + 1];
  if (SENTENCE.test(line)) return FIELD.test(plainLine(line.slice(0, READ_LIMIT)));
  if (HEADING.test(line) || (line.trim() !== '' && UNDERLINE.test(next ?? ''))) return true;
  if (BOLD.test(line) && next !== undefined && AFTER_BOLD.test(next)) return true;
  const plain = plainLine(line.slice(0, READ_LIMIT));
  return FIELD.test(plain) || LEAD_IN.test(plain);
}

/**
 * The summary of an update (seed 004, 7): the first three meaningful lines of a message, without Markdown
 * marks, each cut to 200 characters. Headings, lines such as `Result: completed` and lead-ins count only if
 * there is nothing else. Fenced blocks count only if there is
 * nothing else. Empty if there is no text.
 */
export function summaryLines(message: string): string[] {
  const { outside, inside } = splitFences(message);
  const telling = outside.filter((_, index) => !isPreface(outside, index));
  const plain = [telling, outside, inside].map((lines) => firstOf(lines, /[\p{L}\p{N}]/u));
  return plain.find((lines) => lines.length > 0) ?? firstOf(outside, /\S/).slice(0, 1);
}

function firstOf(lines: readonly string[], says: RegExp): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const plain = plainLine(line.slice(0, READ_LIMIT));
    if (says.test(plain)) found.push(cut(plain));
    if (found.length === 3) break;
  }
  return found;
}

const cut = (line: string): string => (line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT - 1)}…` : line);
