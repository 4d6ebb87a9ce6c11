import { randomBytes } from 'node:crypto';
import { messageOf } from '@contract/error-message';
import { type AppError, appError } from '@contract/errors';
import { ownValue, setOwnValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import { JsonFile } from './json-file';

/** The operating system's keychain, which encrypts values. */
export interface Keychain {
  /** Why it is unusable, or null if it is usable. */
  trouble(): string | null;
  encrypt(text: string): Buffer;
  decrypt(bytes: Buffer): string;
}

const fileSchema = z.object({
  version: z.literal(1),
  /** The encrypted values in base64, by name. */
  values: z.record(z.string(), z.string()),
});

/** A name that operators cannot use: such a value is Muster's own and in no list. */
const isOwn = (name: string): boolean => name.startsWith('muster.');

/** Keys and tokens, on disk only in encrypted form. Without a keychain there is no store. */
export class Secrets {
  readonly #file: JsonFile<z.infer<typeof fileSchema>>;

  constructor(
    path: string,
    private readonly keychain: Keychain,
    damaged: (setAside: string) => void,
  ) {
    this.#file = new JsonFile({ path, schema: fileSchema, fallback: { version: 1, values: {} }, damaged });
  }

  list(): { available: boolean; names: string[]; why: string | null } {
    const why = this.keychain.trouble();
    const names = Object.keys(this.#file.value.values).filter((name) => !isOwn(name));
    return { available: why === null, names: names.sort(), why };
  }

  /** Creates a random value under one of Muster's own names, unless it already has a readable one. */
  async ensure(name: string): Promise<Result<Record<string, never>>> {
    if (ownValue(this.reveal().values, name) !== undefined) return ok({});
    return this.set(name, randomBytes(32).toString('hex'));
  }

  async set(name: string, value: string): Promise<Result<Record<string, never>>> {
    const trouble = this.#trouble();
    if (trouble) return err(trouble);
    const encrypted = this.keychain.encrypt(value).toString('base64');
    return this.#write({ ...this.#file.value.values, [name]: encrypted });
  }

  async remove(name: string): Promise<Result<Record<string, never>>> {
    const { [name]: removed, ...values } = this.#file.value.values;
    if (removed === undefined) return fail('not_found', `There is no secret ${name}.`);
    return this.#write(values);
  }

  /** Every readable value, for the core's memory; and the names of the others. */
  reveal(): { values: Record<string, string>; unreadable: string[] } {
    const stored = Object.entries(this.#file.value.values);
    const values: Record<string, string> = {};
    // With nothing stored the keychain is not accessed: on some systems that alone opens a dialog.
    if (stored.length === 0) return { values, unreadable: [] };
    if (this.keychain.trouble() !== null) return { values, unreadable: stored.map(([name]) => name) };
    const unreadable: string[] = [];
    for (const [name, encrypted] of stored) {
      try {
        setOwnValue(values, name, this.keychain.decrypt(Buffer.from(encrypted, 'base64')));
      } catch {
        unreadable.push(name);
      }
    }
    return { values, unreadable };
  }

  async #write(values: Record<string, string>): Promise<Result<Record<string, never>>> {
    try {
      await this.#file.set({ version: 1, values });
      return ok({});
    } catch (cause) {
      const full = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
      const why = messageOf(cause);
      const mend = full ? 'Free some disk space.' : 'Check the permissions of the data folder.';
      return fail(
        full ? 'store.disk_full' : 'unavailable',
        `The secret lasts only until Muster closes, because it could not be saved: ${why}`,
        { mend },
      );
    }
  }

  #trouble(): AppError | null {
    const why = this.keychain.trouble();
    if (why === null) return null;
    const mend = 'Start Muster with the value in an environment variable of that name instead.';
    return appError('unavailable', `The secret was not stored: ${why}`, { mend });
  }
}
