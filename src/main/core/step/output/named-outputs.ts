import { lazily } from '@contract/lazy-value';

const emoji = lazily(
  () =>
    /[0-9#*]\u{FE0F}?\u{20E3}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{FE0E}|\u{FE0F}|\u{200D}|[\u{E0020}-\u{E007F}]/gu,
);

/** Marks before a heading, one at a time; a number only if it is a list number. */
const markBefore = lazily(
  () => /^(?:\s+|#+(?=\s)|##+|>+|[-+•–—](?=\s)|\*+|_+|`+|~+|["'“‘([]|\d{1,3}[.)](?=\s))/u,
);
const NUMBER = /^\d/;
const wordIn = lazily(() => /[\p{L}\p{N}]/u);
/** Marks after one. A `#` closes a heading only after white space: `C#` is a name. */
const markBehind = lazily(() => /(?:\s+|(?<=\s)#+|(?<=\s)[-–—]+|\*+|_+|`+|~+|["'”’)\]:])$/u);

/** Maximum number of marks around a heading. */
const MOST_MARKS = 12;
const MOST_MARK_LENGTH = 80;

const plain = (text: string): string => text.normalize('NFC').replace(emoji(), '').trim().toLowerCase();

/** A line unchanged, then with more and more of its marks removed. */
function* formsOf(line: string): Iterable<string> {
  let from = line;
  for (let before = 0; before <= MOST_MARKS; before += 1) {
    let form = from;
    for (let behind = 0; behind <= MOST_MARKS && form !== ''; behind += 1) {
      yield form;
      const shorter = form.replace(markBehind(), '');
      if (shorter === form) break;
      form = shorter;
    }
    const next = from.replace(markBefore(), '');
    if (next === from) return;
    from = next;
  }
}

/**
 * A label in comparable form: lower case, without emoji and marks at its ends; a leading number is kept.
 * Empty if nothing remains: a label of marks only would match any line of marks.
 */
export function labelKey(label: string): string {
  let key = plain(label);
  for (let before = key; ; before = key) {
    if (!NUMBER.test(key)) key = key.replace(markBefore(), '');
    key = key.replace(markBehind(), '');
    if (key === before) return wordIn().test(key) ? key : '';
  }
}

/**
 * Extracts named sections from a response. A section starts at a line that equals its label once marks and
 * emoji are removed, and ends at the next label or at the end (SPEC "Re-prompts"). A line that equals a label
 * including its marks also counts. For a repeated label the last one counts, because models often repeat the
 * list of labels first. Returns the texts by label, and the missing labels.
 */
export function extractNamedOutputs(
  response: string,
  labels: readonly string[],
): { sections: Record<string, string>; missing: string[] } {
  const wanted = new Map<string, string>();
  for (const label of labels.toReversed()) wanted.set(labelKey(label), label);
  for (const label of labels) wanted.set(plain(label), label);
  wanted.delete('');
  const longest = Math.max(0, ...[...wanted.keys()].map((key) => key.length)) + MOST_MARK_LENGTH;
  const labelOf = (line: string): string | undefined => {
    if (line.length > longest) return undefined;
    for (const form of formsOf(plain(line))) if (wanted.has(form)) return wanted.get(form);
    return undefined;
  };
  const sections = new Map<string, string>();
  let current: { label: string; lines: string[] } | null = null;
  const close = () => {
    if (current !== null) sections.set(current.label, current.lines.join('\n').trim());
  };
  for (const line of response.split(/\r?\n/)) {
    const label = wanted.size === 0 ? undefined : labelOf(line);
    if (label !== undefined) {
      close();
      current = { label, lines: [] };
    } else {
      current?.lines.push(line);
    }
  }
  close();
  return {
    sections: Object.fromEntries(sections),
    missing: labels.filter((label) => !sections.has(label)),
  };
}
