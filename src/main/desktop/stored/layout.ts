import type { Json } from '@contract/ids';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { JsonFile } from './json-file';

const MOST_KEYS = 500;
const MOST_BYTES = 512 * 1024;

const layoutSchema = z.record(z.string(), z.json());

/**
 * The window's arrangement: sizes of panels, expanded parts, drafts. Bounded, since the window writes it
 * often.
 */
export class Layout {
  readonly #file: JsonFile<Record<string, Json>>;

  constructor(path: string, damaged: (setAside: string) => void) {
    this.#file = new JsonFile({
      path,
      schema: layoutSchema as z.ZodType<Record<string, Json>>,
      fallback: {},
      damaged,
    });
  }

  get(): Record<string, Json> {
    return this.#file.value;
  }

  /** Null removes a key. A value that is too large is refused, and the old one stays. */
  async set(key: string, value: Json): Promise<Result<Record<string, never>>> {
    const next = { ...this.#file.value };
    if (value === null) delete next[key];
    else setOwnValue(next, key, value);
    const tooMuch =
      Object.keys(next).length > MOST_KEYS || Buffer.byteLength(JSON.stringify(next)) > MOST_BYTES;
    if (tooMuch) return fail('input.invalid', `The layout has no place for "${key.slice(0, 80)}".`);
    await this.#file.set(next);
    return ok({});
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }
}
