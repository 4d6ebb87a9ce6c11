import { appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { setOwn } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { JsonFile } from './json-file';

const MOST_KEYS = 500;
const MOST_BYTES = 512 * 1024;

const layoutSchema = z.record(z.string(), z.json());

/** How the operator arranged the window: sizes of panels, open folds, drafts. Bounded, for the window writes it often. */
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

  /** Null removes a key. What is too much is refused whole, and what was there stays. */
  async set(key: string, value: Json): Promise<Result<Record<string, never>>> {
    const next = { ...this.#file.value };
    if (value === null) delete next[key];
    else setOwn(next, key, value);
    const tooMuch =
      Object.keys(next).length > MOST_KEYS || Buffer.byteLength(JSON.stringify(next)) > MOST_BYTES;
    if (tooMuch) return err(appError('input.invalid', `The layout has no place for "${key.slice(0, 80)}".`));
    await this.#file.set(next);
    return ok({});
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }
}
