import { TEXT_SAVED_AFTER_MS } from '../../limits';

/** A text that is not written, and the text of the file that it was typed over. */
interface Typed {
  readonly text: string;
  readonly over: string;
}

/**
 * `asked`: the operator decides first, and the file's text stands meanwhile. `failed`: the text stays with its field.
 * `stale`: the file has another text there than the one it was typed over, and nothing was written.
 */
export type Committed = 'written' | 'asked' | 'failed' | 'stale';

export interface TypingParts {
  /** What was kept before the page was loaded again. */
  readonly kept: string;
  /** The text of the file. */
  readonly value: string;
  /** It is written only when the field is left. */
  readonly whole: boolean;
  keep(text: string): void;
  /** Writes a text, if the file still has the text `over` there. */
  commit(text: string, over: string): Promise<Committed>;
  /** The text that the file has there now. */
  current(): string;
  /** Told when the text or its state is another. */
  changed(): void;
  /** Told of a text that was not written when its field had gone. */
  orphaned(text: string): void;
}

/**
 * The text of a field. It is written to the file after a pause in typing, and at once when the field is left. What was
 * not written when the page went away, or could not be, is there again. It is never written over a text of the file that
 * it was not typed over, unless the operator says so.
 */
export class Typing {
  #typed: Typed | null;
  #value: string;
  #kept: boolean;
  #writing = false;
  /** It is to be written once more, after the write that is under way. */
  #again = false;
  #gone = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The file has another text than the one that was typed over: the operator chooses. */
  stale: boolean;

  constructor(private readonly parts: TypingParts) {
    const { kept, value } = parts;
    const typed = readTyped(kept);
    this.#value = value;
    this.#kept = kept !== '';
    this.#typed = typed?.text === value ? null : typed;
    this.stale = this.#typed !== null && this.#typed.over !== value;
    if (this.#typed !== null && !this.stale) this.#wait();
  }

  get text(): string {
    return this.#typed?.text ?? this.#value;
  }

  type(text: string): void {
    this.#gone = false;
    this.#typed = { text, over: this.#typed?.over ?? this.#value };
    this.parts.changed();
    if (!this.stale) this.#wait();
  }

  /** The file has this text now. What is being typed stays. */
  take(value: string): void {
    if (this.#typed === null && !this.#writing) this.#keepText('');
    if (value === this.#value) return;
    this.#value = value;
    if (this.#typed?.text === value) return this.drop();
    if (this.#typed !== null && !this.#writing) this.#compare(this.#typed);
    this.parts.changed();
  }

  /** The field is left; `gone` where it is not shown any more. */
  leave(gone = false): void {
    this.#gone = gone;
    if (this.stale) this.keep();
    else void this.write();
  }

  /** Writes what was typed, over the text that the file has. */
  async write(): Promise<void> {
    this.#stop();
    if (this.#writing) {
      this.#again = true;
      return;
    }
    const typed = this.#typed;
    if (typed === null || typed.text === this.#value) return this.drop();
    this.keep();
    this.#typed = null;
    this.stale = false;
    // Shown until the file says so too.
    const before = this.#value;
    this.#value = typed.text;
    this.#writing = true;
    const done = await this.parts.commit(typed.text, before);
    this.#writing = false;
    this.#ended(done, { ...typed, over: before });
    this.parts.changed();
    if (!this.#again) return;
    this.#again = false;
    if (!this.stale) await this.write();
  }

  /** Takes the text of the file. */
  drop(): void {
    this.#stop();
    const had = this.#typed !== null;
    this.#typed = null;
    this.stale = false;
    this.#keepText('');
    if (had) this.parts.changed();
  }

  /** Keeps what was typed and not written. */
  keep(): void {
    if (this.#typed !== null) this.#keepText(JSON.stringify(this.#typed));
  }

  #ended(done: Committed, typed: Typed): void {
    const newer = this.#typed;
    if (done === 'failed') {
      this.#value = typed.over;
      this.#typed = { text: newer?.text ?? typed.text, over: typed.over };
      return this.keep();
    }
    this.#value = this.parts.current();
    if (done === 'stale') {
      this.#typed = { text: newer?.text ?? typed.text, over: typed.over };
      this.stale = true;
      this.keep();
      if (this.#gone) this.parts.orphaned(this.#typed.text);
    } else if (newer === null) this.#keepText('');
    else this.#typed = { text: newer.text, over: this.#value };
  }

  #compare({ over }: Typed): void {
    this.stale = over !== this.#value;
    if (!this.stale) return this.#wait();
    this.#stop();
    this.keep();
  }

  #keepText(text: string): void {
    if (text === '' && !this.#kept) return;
    this.#kept = text !== '';
    this.parts.keep(text);
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
