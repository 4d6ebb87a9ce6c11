/** Marks that programs put before input and output, and lines and boxes around it. */
const MARKS = /^[\s│┃┆┊▎▌|]*[>❯›»•●⏺◆✦✻*$#]?[\ufe0e\ufe0f]?\s*/u;
const DRAWN = /^[\s─━═╌┄—_\-=│┃╭╮╰╯┌┐└┘▁▔▀▄█░▒▓]*$/u;

/**
 * A program's output since a moment, from the screen then and now. Leaves out what merely moved (its input
 * box, its status line) and the echo of the prompt. An estimate, not a record.
 */
export function answerOnScreen(screen: {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly prompt: string;
}): string {
  const echoes = new Set(screen.prompt.split('\n').map(bare).filter(Boolean));
  const fresh = newLines(screen.before, screen.after).filter((line) => !echoes.has(bare(line)));
  return trimmed(fresh.map((line) => (DRAWN.test(line) ? '' : line.trimEnd()))).join('\n');
}

/** The new lines of a screen, in order. */
export function newLines(before: readonly string[], after: readonly string[]): string[] {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  const moved = new Map<string, number>();
  for (const line of before.slice(same)) moved.set(line.trim(), (moved.get(line.trim()) ?? 0) + 1);
  // From the end: when text scrolls, the unchanged lines are mostly at the bottom.
  const fresh: string[] = [];
  for (const line of after.slice(same).reverse()) {
    const remaining = moved.get(line.trim()) ?? 0;
    if (remaining > 0) moved.set(line.trim(), remaining - 1);
    else fresh.push(line);
  }
  return fresh.reverse();
}

/** Blanks, control characters, boxes and marks, which programs draw around input and output. */
const DRESS = /[\s\p{Cc}│┃┆┊▎▌|─━═╌┄╭╮╰╯┌┐└┘▁▔▀▄█░▒▓>❯›»•●⏺◆✦✻*$#]/gu;

/** A text independent of its line breaks. */
export const squeezed = (text: string): string => text.replace(DRESS, '');

/** Number of characters that identify a line after its text was redrawn. */
const LEAST_FOUND = 12;

/**
 * The lines on a screen that existed before its width changed: the program redraws its old text with other
 * line breaks.
 */
export function drawnAgain(before: readonly string[], after: readonly string[]): string[] {
  const text = squeezed(before.join(''));
  let at = 0;
  return after.filter((line) => {
    const words = squeezed(line);
    if (words === '') return false;
    const found = text.startsWith(words, at) ? at : words.length < LEAST_FOUND ? -1 : text.indexOf(words, at);
    if (found >= 0) at = found + words.length;
    return found >= 0;
  });
}

/** The last lines with content: what an operator sees in the terminal. */
export function lastWords(lines: readonly string[], most = 12): string {
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => !DRAWN.test(line))
    .slice(-most)
    .join('\n');
}

/** Maximum lines of a message. */
const MOST_BELOW = 6;

/** A matching start of a message, with its following lines up to an empty one. */
export function wholeMessage(screen: readonly string[], found: RegExpExecArray): string {
  const at = screen.findLastIndex((line) => line.includes(found[0]));
  const below = at < 0 ? [] : screen.slice(at + 1, at + 2 + MOST_BELOW);
  const end = below.findIndex((line) => line.trim() === '');
  return [found[1] ?? found[0], ...below.slice(0, Math.max(0, end))].map((line) => line.trim()).join(' ');
}

/** A line without the marks that programs put before it. */
export const bare = (line: string): string => line.replace(MARKS, '').trim();

/** Without blank lines at either end, and with at most one between others. */
function trimmed(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    if (line === '' && (kept.length === 0 || kept.at(-1) === '')) continue;
    kept.push(line);
  }
  while (kept.at(-1) === '') kept.pop();
  return kept;
}
