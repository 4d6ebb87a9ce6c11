/** Where the cursor is in a YAML text in block style. */
export interface CursorPlace {
  /** Keys from the outside in; `[]` for an entry of a list. */
  readonly path: readonly string[];
  /** `key`: a key is being written; `value`: the part after `key: `; `text`: a line of a block scalar. */
  readonly kind: 'key' | 'value' | 'text';
  /** For a value: its key. */
  readonly key: string | null;
  /** The part already written. */
  readonly typed: string;
  /**
   * The keys and values above the cursor, for each part of the path and finally for the cursor's own mapping.
   */
  readonly beside: readonly ReadonlyMap<string, string>[];
}

interface Line {
  /** Column of the first dash; -1 if the line begins no entry. */
  readonly dash: number;
  /** Column of the content. */
  readonly column: number;
  readonly key: string | null;
  readonly value: string;
}

const LINE = /^( *)((?:- +|-$)*)(.*)$/;
const KEY = /^("[^"]*"|'[^']*'|[^\s#:"'[\]{},][^#:]*):(?:\s+(.*))?$/;

function lineOf(text: string): Line | null {
  const [, indent = '', dashes = '', rest = ''] = LINE.exec(text) ?? [];
  if ((rest === '' && dashes === '') || rest.startsWith('#')) return null;
  const [, key = null, value = ''] = KEY.exec(rest) ?? [];
  const dash = dashes === '' ? -1 : indent.length;
  return { dash, column: indent.length + dashes.length, key, value: key === null ? rest : value };
}

/** Maximum number of lines read above the cursor. */
const MOST_LINES = 5_000;

class Walk {
  readonly path: string[] = [];
  readonly beside: Map<string, string>[] = [new Map()];
  kind: CursorPlace['kind'] | null = null;
  #column: number;
  /** In a list, whose key may be in the same column. */
  #inList: boolean;

  constructor({ dash, column }: Line) {
    this.#column = column;
    this.#inList = false;
    if (dash >= 0) this.#enterList(dash);
  }

  up(line: Line): void {
    if (this.#inList) this.#fromList(line);
    else this.#fromMapping(line);
  }

  #fromMapping({ dash, column, key, value }: Line): void {
    if (key === null) return;
    if (column === this.#column) {
      this.beside[0]?.set(key, value);
      if (dash >= 0) this.#enterList(dash);
    } else if (column < this.#column) this.#enter(key, value, { dash, column });
  }

  #fromList({ dash, column, key, value }: Line): void {
    if (key === null) return;
    if (dash < 0 && column <= this.#column) this.#enter(key, value, { dash, column });
    else if (dash >= 0 && dash < this.#column) this.#enter(key, value, { dash, column });
  }

  #enter(key: string, value: string, { dash, column }: Pick<Line, 'dash' | 'column'>): void {
    if (this.kind === null && /^[|>]/.test(value)) this.kind = 'text';
    this.path.unshift(key);
    this.beside.unshift(new Map([[key, value]]));
    this.#column = column;
    this.#inList = false;
    if (dash >= 0) this.#enterList(dash);
  }

  #enterList(dash: number): void {
    this.path.unshift('[]');
    this.beside.unshift(new Map());
    this.#column = dash;
    this.#inList = true;
  }
}

/** Null where nothing can be said, such as in a flow mapping. */
export function placeAt(text: string, offset: number): CursorPlace | null {
  const lines = text.slice(0, offset).split('\n');
  const last = lines.pop() ?? '';
  const [, indent = '', dashes = '', rest = ''] = LINE.exec(last) ?? [];
  const column = indent.length + dashes.length;
  const walk = new Walk({ dash: dashes === '' ? -1 : indent.length, column, key: null, value: '' });
  for (let at = lines.length - 1, seen = 0; at >= 0 && seen < MOST_LINES; at -= 1, seen += 1) {
    const line = lineOf(lines[at] ?? '');
    if (line !== null) walk.up(line);
  }
  const { path, beside } = walk;
  if (walk.kind === 'text') return { path, beside, kind: 'text', key: null, typed: rest };
  const [, key = null, value = ''] = KEY.exec(rest) ?? [];
  if (key !== null && /:\s/.test(rest)) return { path, beside, kind: 'value', key, typed: value };
  if (/^[\w-]*$/.test(rest)) return { path, beside, kind: 'key', key: null, typed: rest };
  return { path, beside, kind: 'text', key: null, typed: rest };
}
