import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import { addItems, emptyTranscript, receiveItems, type Transcript } from './transcript';

export interface TranscriptView {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly transcript: Transcript;
  readonly error: AppError | null;
}

export const emptyView: TranscriptView = { status: 'loading', transcript: emptyTranscript, error: null };

/** A turn as the core returned it. */
export interface Read {
  /** The turn has not ended. */
  readonly live: boolean;
  readonly items: readonly TranscriptItem[];
}

interface Parts {
  fetch(): Promise<Result<Read>>;
  show(view: TranscriptView): void;
  /** The transcript is complete. */
  whole(view: TranscriptView): void;
}

interface Piece {
  readonly from: number;
  readonly items: readonly TranscriptItem[];
}

/** A log whose beginning was deleted can never be read completely. */
const MOST_READS = 3;

/**
 * The transcript of a turn, updated while it streams. Pushed pieces may overtake answers: pieces that arrive
 * during a read are kept and appended to it.
 */
export class TranscriptFollower {
  #view = emptyView;
  #waiting: Piece[] = [];
  #reading = false;
  #again = false;
  #reads = 0;

  constructor(private readonly parts: Parts) {}

  receive(from: number, items: readonly TranscriptItem[]): void {
    const transcript = receiveItems(this.#view.transcript, from, items);
    if (this.#reading || transcript === null) this.#waiting.push({ from, items });
    if (transcript !== null) this.#show({ ...this.#view, transcript });
    else if (!this.#reading) void this.read();
  }

  /** A new core: the items of the previous one are valid as far as the new one has them. */
  async lost(): Promise<void> {
    this.#waiting = [];
    await this.read();
  }

  async read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    const result = await this.parts.fetch();
    this.#reading = false;
    if (this.#again) {
      this.#again = false;
      return this.read();
    }
    if (!result.ok) {
      this.#waiting = [];
      return this.#show({ ...this.#view, status: 'failed', error: result.error });
    }
    const { live, items } = result.value;
    const transcript = this.#withWaiting(addItems(emptyTranscript, items));
    if (transcript === null) return this.read();
    this.#reads = 0;
    this.#waiting = [];
    this.#show({ status: 'ready', transcript, error: null });
    if (!live) this.parts.whole(this.#view);
  }

  /** Null if items in between are still missing but may be readable. */
  #withWaiting(read: Transcript): Transcript | null {
    let transcript = read;
    this.#reads += 1;
    for (const { from, items } of this.#waiting) {
      const next = receiveItems(transcript, from, items);
      if (next === null && this.#reads < MOST_READS) return null;
      transcript = next ?? addItems({ ...transcript, length: from }, items);
    }
    return transcript;
  }

  #show(view: TranscriptView): void {
    this.#view = view;
    this.parts.show(view);
  }
}
