import { readFileSync, renameSync } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

interface JsonFileOptions<T extends object> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  /** Called when the file was unreadable and was set aside. */
  damaged(setAside: string): void;
}

/**
 * A small file of our own that is read once and written atomically, so that a crash leaves the old or the new
 * version. Readable by the user only. An unreadable one is set aside, never overwritten.
 */
export class JsonFile<T extends object> {
  #value: T;
  /** Keys of a newer version, which are written again as they are. */
  #unknown: Readonly<Record<string, unknown>> = {};
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  /** The file could be neither read nor set aside. */
  #foreign = false;

  constructor(private readonly options: JsonFileOptions<T>) {
    this.#value = this.#read();
  }

  get value(): T {
    return this.#value;
  }

  /** Resolves when it is on disk. Values set during a write are combined into the next one. */
  set(value: T): Promise<void> {
    this.#value = value;
    if (this.#next !== null) return this.#next;
    const write = this.#writing.then(() => {
      this.#next = null;
      return this.#write();
    });
    this.#next = write;
    this.#writing = write.catch(() => undefined);
    return write;
  }

  settled(): Promise<void> {
    return this.#writing;
  }

  #read(): T {
    const { path, schema, fallback } = this.options;
    try {
      const stored = jsonOf(readFileSync(path, 'utf8'));
      const parsed = schema.safeParse(stored);
      if (parsed.success) {
        this.#unknown = unknownIn(stored, parsed.data);
        return parsed.data;
      }
    } catch (cause) {
      if (isMissing(cause)) return fallback;
    }
    this.#setAside();
    return fallback;
  }

  #setAside(): void {
    const { path, damaged } = this.options;
    const aside = `${path}.damaged-${Date.now()}`;
    try {
      renameSync(path, aside);
      damaged(aside);
    } catch {
      this.#foreign = true;
    }
  }

  async #write(): Promise<void> {
    const { path } = this.options;
    if (this.#foreign) throw new Error(`${path} could not be read, and is not overwritten`);
    const beside = `${path}.${process.pid}.new`;
    await mkdir(dirname(path), { recursive: true });
    try {
      const file = await open(beside, 'w', 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ ...this.#unknown, ...this.#value }, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
    } catch (cause) {
      await unlink(beside).catch(() => undefined);
      throw cause;
    }
  }
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

/** The keys that the schema left out. */
function unknownIn(stored: unknown, known: object): Record<string, unknown> {
  const object = z.record(z.string(), z.unknown()).safeParse(stored);
  const keys = Object.entries(object.success ? object.data : {});
  return Object.fromEntries(keys.filter(([key]) => !Object.hasOwn(known, key)));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
