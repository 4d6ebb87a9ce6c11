import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@contract/result';
import type { Store } from '../../../core/ports/store/store';
import { type OpenOptions, openStore } from '../open';

/** A temporary folder for one test, and the stores opened in it. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'muster-store-'));
  readonly path = join(this.folder, 'muster.db');
  readonly #stores: Store[] = [];

  tryOpen(options: Partial<OpenOptions> = {}): Result<Store> {
    const opened = openStore({ path: this.path, busyTimeoutMs: 50, ...options });
    if (opened.ok) this.#stores.push(opened.value);
    return opened;
  }

  open(options: Partial<OpenOptions> = {}): Store {
    return must(this.tryOpen(options));
  }

  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  /** Only while no store is open: reading the file would release this process's locks on it. */
  bytes(name = 'muster.db'): Buffer {
    return readFileSync(join(this.folder, name));
  }

  remove(): void {
    for (const store of this.#stores) store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export const codeOf = (result: Result<unknown>): string | null => (result.ok ? null : result.error.code);
