import { TEXT_SAVED_AFTER_MS } from '@renderer/limits';

/** An unwritten text, and the text of the file on which it is based. */
interface Typed {
  readonly text: string;
  readonly over: string;
}

/**
 * `asked`: the operator decides first, and the file keeps its text meanwhile. `failed`: the text stays in its
 * field. `stale`: the file's text differs from the one the edit is based on, and nothing was written.
 */
export type Committed = 'written' | 'asked' | 'failed' | 'stale';

export interface TypingParts {
  /** The text saved before the page was reloaded. */
  readonly kept: string;
  /** The text of the file. */
  readonly value: string;
  /** Written only when the field loses the focus. */
  readonly whole: boolean;
  keep(text: string): void;
  /** Writes a text, if the file still has the text `over` there. */
  commit(text: string, over: string): Promise<Committed>;
  /** The current text in the file. */
  current(): string;
  /** Called when the text or its state changed. */
  changed(): void;
  /** Called with a text that was not written when its field was removed. */
  orphaned(text: string): void;
}

/**
 * The text of a field. It is written to the file after a pause in typing, and when the field loses the focus.
 * Unwritten text is restored after a reload. It never replaces a text of the file that it is not based on,
 * unless the operator says so.
 */
export class Typing {
  #typed: Typed | null;
  #value: string;
  #kept: boolean;
  #writing = false;
  /** Another write is needed after the pending one. */
  #again = false;
  #gone = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The file's text differs from the one the edit is based on: the operator chooses. */
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

  /** The file has this text now. Text being typed stays. */
  take(value: string): void {
    if (this.#typed === null && !this.#writing) this.#keepText('');
    if (value === this.#value) return;
    this.#value = value;
    if (this.#typed?.text === value) return this.drop();
    if (this.#typed !== null && !this.#writing) this.#compare(this.#typed);
    this.parts.changed();
  }

  /** The field lost the focus; `gone` if it was removed. */
  leave(gone = false): void {
    this.#gone = gone;
    if (this.stale) this.keep();
    else void this.write();
  }

  /** Writes the typed text over the file's text. */
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
    // Shown until the file has it too.
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

  /** Drops the typed text and shows the file's. */
  drop(): void {
    this.#stop();
    const had = this.#typed !== null;
    this.#typed = null;
    this.stale = false;
    this.#keepText('');
    if (had) this.parts.changed();
  }

  /** Saves the unwritten text. */
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
