import type { ToolCall, TranscriptItem } from '@areas/sessions/contract/session';

/** Shorter values are common words. */
const LEAST = 8;
/** For a secret with several lines, such as a PEM key, also each line of this length. */
const LEAST_LINE = 16;
const MASK = '***';

/** Removes secrets' values from an agent's output. */
export interface Redactor {
  text(text: string): string;
  /** The same for every text in plain data. */
  deep<T>(value: T): T;
  /** How many characters at the end of a text may be the start of a secret that continues. */
  open(text: string): number;
}

/** Null if there is nothing to remove. */
export function redactorOf(values: readonly string[]): Redactor | null {
  const words = secretForms(values).sort((a, b) => b.length - a.length);
  if (words.length === 0) return null;
  const text = (said: string): string =>
    words.reduce((kept, word) => (kept.includes(word) ? kept.split(word).join(MASK) : kept), said);
  return {
    text,
    deep: (value) => mapTexts(value, text) as typeof value,
    open: (said) => Math.max(...words.map((word) => openIn(said, word))),
  };
}

/** For single texts. */
export function redactTexts(values: readonly string[]): (text: string) => string {
  return redactorOf(values)?.text ?? ((text) => text);
}

/** The texts under which secrets may appear in a file. */
export const secretForms = (values: readonly string[]): string[] => [...new Set(values.flatMap(formsOf))];

/** A secret unchanged, as in JSON, and its long lines. */
function formsOf(value: string): string[] {
  if (value.length < LEAST) return [];
  const lines = value.includes('\n') ? value.split(/\r?\n/) : [];
  const long = lines.filter((line) => line.length >= LEAST_LINE && !line.startsWith('-----'));
  return [value, JSON.stringify(value).slice(1, -1), ...long];
}

function openIn(text: string, word: string): number {
  const tail = text.slice(1 - word.length);
  for (let at = tail.indexOf(word.charAt(0)); at >= 0; at = tail.indexOf(word.charAt(0), at + 1)) {
    if (word.startsWith(tail.slice(at))) return tail.length - at;
  }
  return 0;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]));
}

type Streamed = Extract<TranscriptItem, { type: 'text' | 'thought' }>;

const continues = (before: Streamed, item: Streamed): boolean =>
  before.type === 'text' ? item.type === 'text' && before.message === item.message : item.type === 'thought';

/** The items of one turn, across which a secret may be split. */
export class ItemRedactor {
  #held: Streamed | null = null;

  constructor(private readonly redact: Redactor) {}

  /** The items that may be passed on now. */
  take(items: readonly TranscriptItem[]): TranscriptItem[] {
    return items.flatMap((item) => {
      if (item.type === 'text' || item.type === 'thought') return this.#stream(item);
      // These interleave with the text, which continues after them.
      if (item.type === 'usage' || item.type === 'notice') return [this.redact.deep(item)];
      const before = this.rest();
      return [
        ...before,
        item.type === 'tool' ? { type: item.type, call: this.#call(item.call) } : this.redact.deep(item),
      ];
    });
  }

  /** The withheld rest; nothing follows. */
  rest(): TranscriptItem[] {
    const held = this.#held;
    this.#held = null;
    return held === null ? [] : [held];
  }

  #stream(item: Streamed): TranscriptItem[] {
    const before = this.#held !== null && !continues(this.#held, item) ? this.rest() : [];
    const text = this.redact.text(`${this.#held?.text ?? ''}${item.text}`);
    const end = text.length - this.redact.open(text);
    this.#held = end === text.length ? null : { ...item, text: text.slice(end) };
    return end === 0 ? before : [...before, { ...item, text: text.slice(0, end) }];
  }

  /** A tool call's output is repeated in full with each update. */
  #call(call: ToolCall): ToolCall {
    const shown = this.redact.deep(call);
    const ended = call.status === 'completed' || call.status === 'failed';
    if (ended || shown.output === undefined) return shown;
    return { ...shown, output: shown.output.slice(0, shown.output.length - this.redact.open(shown.output)) };
  }
}
