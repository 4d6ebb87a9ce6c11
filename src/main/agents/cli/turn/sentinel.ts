import { bare, newLines, squeezed } from './answer';

/** Characters around a sentinel that distinguish a prompt's echo from the agent's own output. */
const CONTEXT = 20;

interface SentinelScreen {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The typed text. */
  readonly prompt: string;
  readonly sentinel: string;
}

/**
 * Whether a program has printed its sentinel since a moment. If the prompt itself contains the sentinel
 * ("print DONE at the end"), its echo does not count, wherever its lines are broken, nor does an agent that
 * only mentions it. In that case it counts only on a line of its own.
 */
export function sentinelShown({ before, after, prompt, sentinel }: SentinelScreen): boolean {
  if (!prompt.includes(sentinel)) return newLines(before, after).join('\n').includes(sentinel);
  const places = contexts(prompt, sentinel);
  const shown = (lines: readonly string[]) =>
    lines.filter((line, at) => isAlone(line, sentinel) && !isEcho(lines, at, places)).length;
  return shown(after) > shown(before);
}

const isAlone = (line: string, sentinel: string): boolean =>
  line.includes(sentinel) && (bare(line) === bare(sentinel) || line.trim() === sentinel.trim());

interface Context {
  readonly ahead: string;
  readonly behind: string;
}

/** The text around each occurrence of the sentinel in the prompt. */
function contexts(prompt: string, sentinel: string): Context[] {
  const parts = prompt.split(sentinel);
  return parts.slice(1).map((_, at) => ({
    ahead: squeezed(parts.slice(0, at + 1).join(sentinel)).slice(-CONTEXT),
    behind: squeezed(parts.slice(at + 1).join(sentinel)).slice(0, CONTEXT),
  }));
}

function isEcho(lines: readonly string[], at: number, places: readonly Context[]): boolean {
  const ahead = textBefore(lines, at);
  const behind = textAfter(lines, at);
  return places.some(
    (place) =>
      ahead.endsWith(place.ahead) && (behind.startsWith(place.behind) || isCut(behind, place.behind)),
  );
}

/** A box with a part of the input ends before the prompt does. */
const isCut = (shown: string, whole: string): boolean => shown !== '' && whole.startsWith(shown);

function textBefore(lines: readonly string[], end: number): string {
  let text = '';
  for (let at = end - 1; at >= 0 && text.length < CONTEXT; at -= 1) text = squeezed(lines[at] ?? '') + text;
  return text;
}

function textAfter(lines: readonly string[], from: number): string {
  let text = '';
  for (let at = from + 1; at < lines.length && text.length < CONTEXT; at += 1)
    text += squeezed(lines[at] ?? '');
  return text;
}
