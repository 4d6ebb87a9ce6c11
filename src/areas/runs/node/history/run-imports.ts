import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { type ArchiveParts, importRun } from './run-archive';

/** Texts of imports in progress wait in this folder until it is known whose they are. It is no name of a run. */
const STAGING = '.imports';

/** The imports in progress. Their caller can cancel each by the key that it gave. */
export class RunImports {
  readonly #open = new Map<string, AbortController>();
  #cleaned: Promise<void> | null = null;

  constructor(private readonly parts: ArchiveParts) {}

  /** All or nothing. */
  async begin({ path, key }: { readonly path: string; readonly key?: string | undefined }) {
    const stop = new AbortController();
    const name = key ?? randomBytes(8).toString('hex');
    if (this.#open.has(name)) return fail('conflict', 'An import with this key is in progress.');
    this.#open.set(name, stop);
    await this.#cleaned;
    const staging = join(this.parts.artifactsRoot, STAGING, randomBytes(8).toString('hex'));
    try {
      return await importRun(this.parts, { path, staging, stop: stop.signal });
    } finally {
      this.#open.delete(name);
      await rm(staging, { recursive: true, force: true });
    }
  }

  /** One that is over stays as it ended. */
  cancel(key: string): Result<Record<string, never>> {
    this.#open.get(key)?.abort();
    return ok({});
  }

  /** At the start of a core: removes what one that was killed left behind. */
  clean(): Promise<void> {
    const left = join(this.parts.artifactsRoot, STAGING);
    this.#cleaned = rm(left, { recursive: true, force: true }).catch(() => undefined);
    return this.#cleaned;
  }
}
