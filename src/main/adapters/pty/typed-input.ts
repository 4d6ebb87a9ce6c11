import { stripVTControlCharacters } from 'node:util';
import type { TerminalNote } from '@contract/terminal/view';
import { TYPED_CHECK_MS, TYPED_SHOWN_MS } from '../../limits/terminal-host';
import type { Echo } from './echo';

export interface TypedParts {
  /** Gives the program its input. */
  send(data: string): void;
  note(note: Extract<TerminalNote, { kind: 'input' }>): void;
  /** The end of the output now. */
  offset(): number;
  /** Null where it cannot be asked. */
  echo(): Promise<Echo | null>;
}
/** No more of what was printed since then is looked at. */
const SEEN_CHARS = 64 * 1024;

interface Group {
  readonly at: number;
  readonly offset: number;
  data: string;
  /** What was printed since its first key, as plain text. */
  seen: string;
  /** A password was asked for when one of its keys was typed. */
  secret: boolean;
  ended: boolean;
}

/**
 * What the operator types: given to the program, and written down as theirs. But what the terminal does not show, such
 * as a password, is not written down: only that something was typed. It is written down where (1) the line discipline
 * did not hide it and (2) it was in fact printed after it was typed. The discipline is asked before the first key after
 * the program has printed something, so that neither keys in a row nor hidden terminals cost anything.
 */
export class Typed {
  #group: Group | null = null;
  #timer: NodeJS.Timeout | undefined;
  #echo: Echo | null = null;
  /** Printed something, besides what was typed, since the terminal was asked. */
  #stale = true;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;
  #waiting: string[] = [];
  /** What was typed and is not shown yet. */
  #expected = '';

  constructor(private readonly parts: TypedParts) {}

  type(data: string): void {
    if (this.#asking !== null) {
      this.#waiting.push(data);
      // An interrupt waits for nothing; what is before it counts as hidden.
      if (INTERRUPTS.test(data)) this.#answered('secret');
      return;
    }
    const now = performance.now();
    const ask = this.#stale && visible(data) !== '' && now - this.#askedAt >= TYPED_CHECK_MS;
    if (!ask) return this.#pass(data);
    this.#askedAt = now;
    this.#stale = false;
    this.#waiting.push(data);
    const asking = this.parts.echo().then((echo) => {
      if (this.#asking === asking) this.#answered(echo);
    });
    this.#asking = asking;
  }

  /** The program has printed this. */
  printed(batch: Buffer): void {
    if (this.#group === null || this.#group.seen.length >= SEEN_CHARS) {
      this.#stale = true;
      return;
    }
    // A flood is no answer to a key; its beginning may be.
    const text = plain(batch.subarray(0, SEEN_CHARS).toString('utf8'));
    if (this.#expected.startsWith(text)) this.#expected = this.#expected.slice(text.length);
    else this.#stale = true;
    this.#group.seen += text;
    if (this.#group.ended && isShown(this.#group)) this.settle();
  }

  /** Writes down what waits to be shown: what was not shown until now stays hidden. */
  settle(): void {
    clearTimeout(this.#timer);
    const group = this.#group;
    this.#group = null;
    this.#expected = '';
    if (!group) return;
    const shown = !group.secret && isShown(group);
    const { at, offset } = group;
    const what = shown ? { data: group.data } : { data: '', hidden: true as const };
    this.parts.note({ kind: 'input', at, offset, by: 'operator', ...what });
  }

  #answered(echo: Echo | null): void {
    this.#echo = echo;
    this.#asking = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#pass(one);
  }

  #pass(data: string): void {
    if (this.#group?.ended) this.settle();
    const text = visible(data);
    this.#group ??= {
      at: Date.now(),
      offset: this.parts.offset(),
      data: '',
      seen: '',
      secret: false,
      ended: false,
    };
    this.#group.data += data;
    this.#expected += text;
    if (text !== '' && this.#echo === 'secret') this.#group.secret = true;
    if (/[\r\n]/.test(data)) {
      this.#group.ended = true;
      // What the line asks for next may be a password.
      this.#stale = true;
      this.#askedAt = Number.NEGATIVE_INFINITY;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), TYPED_SHOWN_MS);
    this.parts.send(data);
    if (this.#group?.ended && visible(this.#group.data) === '') this.settle();
  }
}

/** Each piece between keys that show nothing stands, in order, in what was printed since. */
function isShown({ data, seen }: Group): boolean {
  let at = 0;
  for (const piece of pieces(data)) {
    const found = seen.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys without a picture are what this is about
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const KEYS = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001bO./;
/** Ctrl+C, Ctrl+Z, Ctrl+\\. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const INTERRUPTS = /[\u0003\u001a\u001c]/;

/** Text without the keys that show nothing, and without the marks of a paste. */
const pieces = (text: string): string[] =>
  text
    .split(KEYS)
    .flatMap((part) => stripVTControlCharacters(part).split(CONTROLS))
    .filter((piece) => piece !== '');

const visible = (data: string): string => pieces(data).join('');
const plain = (printed: string): string => stripVTControlCharacters(printed).replaceAll(CONTROLS, '');
