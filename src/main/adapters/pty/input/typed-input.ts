import { stripVTControlCharacters } from 'node:util';
import type { TerminalNote } from '@areas/terminals/contract/view';
import { TYPED_CHECK_MS, TYPED_SHOWN_MS } from '../../../limits/terminal-host';
import type { Echo } from './echo';

interface TypedParts {
  /** Sends the input to the program. */
  send(data: string): void;
  note(note: Extract<TerminalNote, { kind: 'input' }>): void;
  /** The current end of the output. */
  offset(): number;
  /** Null if unavailable. */
  echo(): Promise<Echo | null>;
}
/** Maximum characters of later output that are searched. */
const SEEN_CHARS = 64 * 1024;

interface Group {
  readonly at: number;
  readonly offset: number;
  data: string;
  /** Output since its first key, as plain text. */
  seen: string;
  /** A password was requested when one of its keys was typed. */
  secret: boolean;
  ended: boolean;
}

/**
 * The operator's input: passed to the program, and recorded as theirs. Input that the terminal does not show,
 * such as a password, is not recorded, only that something was typed. Input is recorded if (1) the line
 * discipline did not hide it and (2) it was printed afterwards. The discipline is queried before the first
 * key after output of the program, so that neither successive keys nor invisible terminals cost anything.
 */
export class Typed {
  #group: Group | null = null;
  #timer: NodeJS.Timeout | undefined;
  #echo: Echo | null = null;
  /** There was output other than the echoed input since the last query. */
  #stale = true;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;
  #waiting: string[] = [];
  /** Typed text that has not been echoed yet. */
  #expected = '';

  constructor(private readonly parts: TypedParts) {}

  type(data: string): void {
    if (this.#asking !== null) {
      this.#waiting.push(data);
      // An interrupt does not wait; earlier input counts as hidden.
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

  /** The program printed this. */
  printed(batch: Buffer): void {
    if (this.#group === null || this.#group.seen.length >= SEEN_CHARS) {
      this.#stale = true;
      return;
    }
    // A flood does not answer a key, but its beginning may.
    const text = plain(batch.subarray(0, SEEN_CHARS).toString('utf8'));
    if (this.#expected.startsWith(text)) this.#expected = this.#expected.slice(text.length);
    else this.#stale = true;
    this.#group.seen += text;
    if (this.#group.ended && isShown(this.#group)) this.settle();
  }

  /** Records input waiting for its echo: what has not been shown by now stays hidden. */
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
      // The line's next prompt may be for a password.
      this.#stale = true;
      this.#askedAt = Number.NEGATIVE_INFINITY;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), TYPED_SHOWN_MS);
    this.parts.send(data);
    if (this.#group?.ended && visible(this.#group.data) === '') this.settle();
  }
}

/** The text between invisible keys occurs, in order, in the later output. */
function isShown({ data, seen }: Group): boolean {
  let at = 0;
  for (const piece of pieces(data)) {
    const found = seen.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches keys without a visible character
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const KEYS = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001bO./;
/** Ctrl+C, Ctrl+Z, Ctrl+\\. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const INTERRUPTS = /[\u0003\u001a\u001c]/;

/** Text without invisible keys and paste marks. */
const pieces = (text: string): string[] =>
  text
    .split(KEYS)
    .flatMap((part) => stripVTControlCharacters(part).split(CONTROLS))
    .filter((piece) => piece !== '');

const visible = (data: string): string => pieces(data).join('');
const plain = (printed: string): string => stripVTControlCharacters(printed).replaceAll(CONTROLS, '');
