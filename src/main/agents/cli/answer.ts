/** Marks that programs put before what was typed and what they say, and rules and boxes drawn around it. */
const MARKS = /^[\s│┃┆┊▎▌|]*[>❯›»•●⏺◆✦✻*$#]?[\ufe0e\ufe0f]?\s*/u;
const DRAWN = /^[\s─━═╌┄—_\-=│┃╭╮╰╯┌┐└┘▁▔▀▄█░▒▓]*$/u;

/**
 * What a program printed since a moment, from what was on its screen then and is there now. What merely moved
 * (its input box, its status line) is left out, and so is the echo of the prompt. It is a reading, not a record.
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

/** The lines that are on a screen now and were not before, in order. */
export function newLines(before: readonly string[], after: readonly string[]): string[] {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  const moved = new Map<string, number>();
  for (const line of before.slice(same)) moved.set(line.trim(), (moved.get(line.trim()) ?? 0) + 1);
  // From the end: what stays on a screen while its text moves up is mostly what is below.
  const fresh: string[] = [];
  for (const line of after.slice(same).reverse()) {
    const left = moved.get(line.trim()) ?? 0;
    if (left > 0) moved.set(line.trim(), left - 1);
    else fresh.push(line);
  }
  return fresh.reverse();
}

/** Blanks, control characters, boxes and marks: a program draws them around what was typed and said. */
const DRESS = /[\s\p{Cc}│┃┆┊▎▌|─━═╌┄╭╮╰╯┌┐└┘▁▔▀▄█░▒▓>❯›»•●⏺◆✦✻*$#]/gu;

/** A text without what depends on where its lines are broken. */
export const squeezed = (text: string): string => text.replace(DRESS, '');

/** Characters of a line that suffice to find it again where the text before it was redrawn. */
const LEAST_FOUND = 12;

/**
 * Those of the lines on a screen that were there before it was given another width: a program that heard of that has
 * drawn its old text again, with its lines broken elsewhere.
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

/** The last lines with something on them: what an operator who looks at the terminal sees. */
export function lastWords(lines: readonly string[], most = 12): string {
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => !DRAWN.test(line))
    .slice(-most)
    .join('\n');
}

/** More lines than a message is drawn in. */
const MOST_BELOW = 6;

/** What was found at the beginning of a message, with the lines below in which it continues, up to an empty one. */
export function wholeMessage(screen: readonly string[], found: RegExpExecArray): string {
  const at = screen.findLastIndex((line) => line.includes(found[0]));
  const below = at < 0 ? [] : screen.slice(at + 1, at + 2 + MOST_BELOW);
  const end = below.findIndex((line) => line.trim() === '');
  return [found[1] ?? found[0], ...below.slice(0, Math.max(0, end))].map((line) => line.trim()).join(' ');
}

/** A line without the marks that programs put before it. */
export const bare = (line: string): string => line.replace(MARKS, '').trim();

/** Without blank lines at either end, and with at most one between two others. */
function trimmed(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    if (line === '' && (kept.length === 0 || kept.at(-1) === '')) continue;
    kept.push(line);
  }
  while (kept.at(-1) === '') kept.pop();
  return kept;
}
