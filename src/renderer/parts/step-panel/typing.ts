import { TEXT_SAVED_AFTER_MS } from '../../limits';

/** A text that is not written, and the text of the file that it was typed over. */
interface Typed {
  readonly text: string;
  readonly over: string;
}

/** `asked`: the operator decides first, and the file's text stands meanwhile. `failed`: the text stays with its field. */
export type Committed = 'written' | 'asked' | 'failed';

export interface TypingParts {
  /** What was kept before the page was loaded again. */
  readonly kept: string;
  /** The text of the file. */
  readonly value: string;
  /** It is written only when the field is left. */
  readonly whole: boolean;
  keep(text: string): void;
  commit(text: string): Promise<Committed>;
  /** Told when the text or its state is another. */
  changed(): void;
}

/**
 * The text of a field. It is written to the file after a pause in typing, and at once when the field is left. What was
 * not written when the page went away, or could not be, is there again.
 */
export class Typing {
  #typed: Typed | null;
  #value: string;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The file has another text than the one that was typed over: the operator chooses. */
  stale: boolean;

  constructor(private readonly parts: TypingParts) {
    const { kept, value } = parts;
    const typed = readTyped(kept);
    this.#value = value;
    this.#typed = typed?.text === value ? null : typed;
    this.stale = this.#typed !== null && this.#typed.over !== value;
    if (this.#typed !== null && !this.stale) this.#wait();
  }

  get text(): string {
    return this.#typed?.text ?? this.#value;
  }

  type(text: string): void {
    this.#typed = { text, over: this.#typed?.over ?? this.#value };
    this.parts.changed();
    if (!this.stale) this.#wait();
  }

  /** The file has this text now. What is being typed stays. */
  take(value: string): void {
    if (value === this.#value) return;
    this.#value = value;
    if (this.#typed?.text === value) this.drop();
    else this.parts.changed();
  }

  /** The field is left. */
  leave(): void {
    if (this.stale) this.keep();
    else void this.write();
  }

  /** Writes what was typed, also over another text of the file. */
  async write(): Promise<void> {
    this.#stop();
    const typed = this.#typed;
    if (typed === null || typed.text === this.#value) return this.drop();
    this.#typed = null;
    this.stale = false;
    // Shown until the file says so too.
    const before = this.#value;
    this.#value = typed.text;
    const done = await this.parts.commit(typed.text);
    if (done !== 'written' && this.#value === typed.text) this.#value = before;
    if (done === 'failed') this.#typed ??= typed;
    if (this.#typed === null) this.parts.keep('');
    else if (done === 'failed') this.keep();
    this.parts.changed();
  }

  /** Takes the text of the file. */
  drop(): void {
    this.#stop();
    const had = this.#typed !== null;
    this.#typed = null;
    this.stale = false;
    this.parts.keep('');
    if (had) this.parts.changed();
  }

  /** Keeps what was typed and not written. */
  keep(): void {
    if (this.#typed !== null) this.parts.keep(JSON.stringify(this.#typed));
  }

  #wait(): void {
    this.#stop();
    if (this.parts.whole) return;
    this.#timer = setTimeout(() => void this.write(), TEXT_SAVED_AFTER_MS);
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function readTyped(kept: string): Typed | null {
  try {
    const { text, over } = JSON.parse(kept);
    return typeof text === 'string' && typeof over === 'string' ? { text, over } : null;
  } catch {
    return null;
  }
}
