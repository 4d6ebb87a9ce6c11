/**
 * Durable keys, by which a step finds its gates, timers and commands again after restarts and upgrades: a
 * tuple that starts with its kind. Stored events hold it as JSON.
 */
interface PartTypes {
  readonly name: string;
  readonly number: number;
  readonly 'number?': number | null;
}
type PartSpec = keyof PartTypes;

/** The parts of each kind. */
type KeyTable = Readonly<Record<string, readonly PartSpec[]>>;

type PartsOf<L extends readonly PartSpec[]> = { readonly [I in keyof L]: PartTypes[L[I]] };
/** The keys of a table, or of some of its kinds. */
export type KeyIn<T extends KeyTable, K extends keyof T & string = keyof T & string> = {
  readonly [One in K]: readonly [One, ...PartsOf<T[One]>];
}[K];

const fits: Readonly<Record<PartSpec, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  'number?': (value) => value === null || typeof value === 'number',
};

interface KeyCodec<T extends KeyTable> {
  /** The stored form. */
  text(key: KeyIn<T>): string;
  /** Null if the text is no key of this table. */
  read(text: string): KeyIn<T> | null;
}

export function keyCodec<T extends KeyTable>(table: T): KeyCodec<T> {
  const kinds = new Map<unknown, readonly PartSpec[]>(Object.entries(table));
  const isKey = (value: unknown): value is KeyIn<T> => {
    if (!Array.isArray(value)) return false;
    const [kind, ...parts]: readonly unknown[] = value;
    const specs = kinds.get(kind);
    return specs?.length === parts.length && specs.every((spec, index) => fits[spec](parts[index]));
  };
  return {
    text: (key) => JSON.stringify(key),
    read(text) {
      const value = jsonIn(text);
      return isKey(value) ? value : null;
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The purpose of a timer of each kind, as a clause for the operator. */
export type TimerWords<T extends KeyTable, K extends keyof T & string> = {
  readonly [One in K]: (...parts: PartsOf<T[One]>) => string;
};
