import { literalPattern } from '../literal-pattern';

/**
 * Durable keys, by which a step finds its gates, timers and commands again after restarts and upgrades. In
 * code a key is a tuple that starts with its kind. Stored events hold it as a sentence; the codec reads and
 * writes that form, so keys stay the same in every version.
 */
interface PartTypes {
  readonly name: string;
  readonly number: number;
  readonly 'number?': number | null;
}
type PartSpec = keyof PartTypes;

interface KeyKind {
  readonly parts: readonly PartSpec[];
  /** The stored form: `{0}` is the first part; bracketed text is left out if its part is null. */
  readonly stored: string;
}
type KeyTable = Readonly<Record<string, KeyKind>>;

type PartsOf<L extends readonly PartSpec[]> = { readonly [I in keyof L]: PartTypes[L[I]] };
/** The keys of a table, or of some of its kinds. */
export type KeyIn<T extends KeyTable, K extends keyof T & string = keyof T & string> = {
  readonly [One in K]: readonly [One, ...PartsOf<T[One]['parts']>];
}[K];
type AnyKey = readonly [string, ...(string | number | null)[]];

interface Segment {
  readonly text: string;
  /** Index of a part; null: `text` is literal. */
  readonly part: number | null;
}

/** Of `a {0}[ b {1}]`: `a `, part 0, then ` b ` before part 1. */
const segmentsOf = (stored: string): Segment[] =>
  [...stored.matchAll(/\[([^{]*)\{(\d)\}\]|\{(\d)\}|([^[{]+)/g)].map(([, before, optional, part, text]) => {
    if (optional !== undefined) return { text: before ?? '', part: Number(optional) };
    return part === undefined ? { text: text ?? '', part: null } : { text: '', part: Number(part) };
  });

const PATTERNS: Readonly<Record<PartSpec, string>> = {
  name: '(\\S+)',
  number: '(\\d+)',
  'number?': '(\\d+)',
};

class Kind {
  readonly #segments: readonly Segment[];
  readonly #pattern: RegExp;

  constructor(
    private readonly name: string,
    private readonly parts: readonly PartSpec[],
    stored: string,
  ) {
    this.#segments = segmentsOf(stored);
    const source = this.#segments.map(({ text, part }) => {
      const words = literalPattern(text);
      const spec = part === null ? undefined : parts[part];
      if (spec === undefined) return words;
      return spec === 'number?' ? `(?:${words}${PATTERNS[spec]})?` : `${words}${PATTERNS[spec]}`;
    });
    this.#pattern = new RegExp(`^${source.join('')}$`);
  }

  write(values: AnyKey): string {
    let text = '';
    for (const segment of this.#segments) {
      const value = segment.part === null ? '' : values[segment.part + 1];
      if (value !== null && value !== undefined) text += `${segment.text}${value}`;
    }
    return text;
  }

  read(text: string): AnyKey | null {
    const found = this.#pattern.exec(text);
    if (found === null) return null;
    const values = this.parts.map((spec, index) => {
      const value = found[index + 1];
      if (spec === 'name') return value ?? '';
      return value === undefined ? null : Number(value);
    });
    return [this.name, ...values];
  }
}

interface KeyCodec<T extends KeyTable> {
  /** The stored form. */
  text(key: KeyIn<T>): string;
  /** Null if the text matches no kind of this table. */
  read(text: string): KeyIn<T> | null;
}

/** Kinds are tried in the order of the table. */
export function keyCodec<T extends KeyTable>(table: T): KeyCodec<T> {
  let made: Map<string, Kind> | null = null;
  const kinds = (): Map<string, Kind> => {
    made ??= new Map(
      Object.entries(table).map(([name, { parts, stored }]) => [name, new Kind(name, parts, stored)]),
    );
    return made;
  };
  return {
    text: (key) =>
      kinds()
        .get(key[0])
        ?.write(key as unknown as AnyKey) ?? '',
    read(text) {
      for (const kind of kinds().values()) {
        const key = kind.read(text);
        // The kind's own table defines the types of its parts.
        if (key !== null) return key as unknown as KeyIn<T>;
      }
      return null;
    },
  };
}

/** The purpose of a timer of each kind, as a clause for the operator. */
export type TimerWords<T extends KeyTable, K extends keyof T & string> = {
  readonly [One in K]: (...parts: PartsOf<T[One]['parts']>) => string;
};
