import type { Attachment } from '@areas/sessions/contract/session';

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';

interface Typing {
  /** What is typed before Enter. */
  readonly keys: string;
  /** Line ends were replaced by blanks, because the program would submit at each of them. */
  readonly joined: boolean;
}

/** A turn's text: the prompt, and the paths of its attachments. */
export function promptText(prompt: string, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return prompt;
  const paths = attachments.map(({ path }) => `- ${path}`);
  return `${prompt}\n\nAttached files, to be read from disk:\n${paths.join('\n')}`;
}

interface TypingRules {
  /** The program has enabled bracketed paste. */
  readonly pasteMode: boolean;
  /** The key for a line break in the program's prompt that does not submit, if known. */
  readonly newline: string | null;
  /**
   * Maximum code points of one paste; for a program that marks a long paste as foreign text, each line is a
   * separate paste.
   */
  readonly mostPasted: number | null;
}

/**
 * The keys that type a text. Control characters except tab and line end are left out: in a terminal they are
 * commands, and one of them ends a paste.
 */
export function typed(text: string, rules: TypingRules): Typing {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .trimEnd()
    .split('\n');
  const { mostPasted, newline, pasteMode } = rules;
  if (pasteMode) return { keys: pasted(lines, mostPasted), joined: false };
  // A tab would request a completion.
  const plain = lines.map((line) => line.replaceAll('\t', '    '));
  if (lines.length === 1 || newline !== null) return { keys: plain.join(newline ?? ''), joined: false };
  const joined = plain.map((line) => line.trim()).filter(Boolean);
  return { keys: joined.join(' '), joined: true };
}

/** A terminal sends a pasted line end as the Enter key does. */
function pasted(lines: readonly string[], most: number | null): string {
  const pieces = most === null ? [lines.join('\r')] : lines.flatMap((line, at) => pieced(line, at > 0, most));
  return pieces.map((piece) => `${PASTE_BEGIN}${piece}${PASTE_END}`).join('');
}

function pieced(line: string, follows: boolean, most: number): string[] {
  const points = [...line];
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at < points.length; at += most)
    pieces.push(points.slice(at, at + most).join(''));
  pieces[0] = `${follows ? '\r' : ''}${pieces[0]}`;
  return pieces;
}

/** Whether texts are equal, ignoring how a program changed blanks and line ends. */
export const sameText = (a: string, b: string): boolean => squeezed(a) === squeezed(b);

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
