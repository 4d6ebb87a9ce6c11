import { ownValue } from '@contract/own';
import { DRAFT_FLUSH_MS } from '../../limits';
import { Cell } from '../store';

const KEY = 'muster.drafts';
const MOST_DRAFTS = 50;
/** Of all of them together, as far as the window's store surely takes them. */
const MOST_CHARACTERS = 1_500_000;

type StoredDrafts = Record<string, { text: string; at: number }>;
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/**
 * Unsent texts. They are stored on this machine whole or not at all, and the oldest is dropped first. All
 * fields with the same key share one text, wherever it is shown.
 */
export class Drafts {
  readonly #storage: () => Storage;
  readonly #flush: () => void;
  readonly #shown = new Map<string, Cell<string>>();
  #flushing = false;

  /** `flush` brings to the disk what `storage` may still hold in memory. */
  constructor(storage: () => Storage, flush: () => void) {
    this.#storage = storage;
    this.#flush = flush;
  }

  /** The text under a key, as an observable cell. */
  cell(key: string): Cell<string> {
    const known = this.#shown.get(key);
    if (known) return known;
    const cell: Cell<string> = new Cell(ownValue(this.#load(), key)?.text ?? '', () => {
      this.#shown.set(key, cell);
      return () => this.#shown.delete(key);
    });
    this.#shown.set(key, cell);
    return cell;
  }

  write(key: string, next: string | ((now: string) => string)): void {
    const shown = this.#shown.get(key);
    const text =
      typeof next === 'string' ? next : next(shown?.get() ?? ownValue(this.#load(), key)?.text ?? '');
    this.#keep(key, text);
    shown?.set(text);
  }

  #keep(key: string, text: string): void {
    const { [key]: _, ...others } = this.#load();
    const newest = Object.entries(others).sort(([, a], [, b]) => b.at - a.at);
    if (text !== '') newest.unshift([key, { text, at: Date.now() }]);
    let room = MOST_CHARACTERS;
    const fit = newest.slice(0, MOST_DRAFTS).filter(([, { text }]) => {
      if (text.length > room) return false;
      room -= text.length;
      return true;
    });
    if (!this.#save(fit)) this.#save(fit.slice(0, 1));
  }

  /** False where there is no room: the text is in the window all the same. */
  #save(drafts: readonly (readonly [string, StoredDrafts[string]])[]): boolean {
    try {
      this.#storage().setItem(KEY, JSON.stringify(Object.fromEntries(drafts)));
      this.#flushSoon();
      return true;
    } catch {
      return false;
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setTimeout(() => {
      this.#flushing = false;
      this.#flush();
    }, DRAFT_FLUSH_MS);
  }

  #load(): StoredDrafts {
    try {
      const value: unknown = JSON.parse(this.#storage().getItem(KEY) ?? '{}');
      return typeof value === 'object' && value !== null ? (value as StoredDrafts) : {};
    } catch {
      return {};
    }
  }
}
