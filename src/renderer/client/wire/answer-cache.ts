import { shareStructure } from '@contract/structural-sharing';
import { packedText } from '@contract/wire';

interface Answer {
  /** Null if the answer was not packed as text. */
  readonly text: string | null;
  readonly raw: unknown;
  readonly value: unknown;
}

/** Number of answers, enough for a few open files. */
const MOST_KEPT = 8;

/**
 * The last answers of procedures that are called after each change of a file. Comparing a large answer with
 * the last one is much faster than validating it, and unchanged parts stay the same objects.
 */
export class AnswerCache {
  readonly #answers = new Map<string, Answer>();

  /** The value of a raw or packed answer. `parse` reads it where it is new, and gives null where it is invalid. */
  read<T>(key: string, answer: unknown, parse: (raw: unknown) => T | null): T | null {
    const last = this.#answers.get(key);
    this.#answers.delete(key);
    const text = packedText(answer);
    if (last !== undefined && text !== null && text === last.text) {
      this.#answers.set(key, last);
      return last.value as T;
    }
    const raw: unknown = text === null ? answer : JSON.parse(text);
    const kept = last === undefined ? raw : shareStructure(last.raw, raw);
    if (last !== undefined && kept === last.raw) {
      this.#answers.set(key, { ...last, text });
      return last.value as T;
    }
    const parsed = parse(kept);
    if (parsed === null) return null;
    const value = last === undefined ? parsed : shareStructure(last.value, parsed);
    this.#answers.set(key, { text, raw: kept, value });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_KEPT) break;
      this.#answers.delete(oldest);
    }
    return value;
  }
}
