import type { CoreCalls } from '../../api/core-service';

/** The core that a command works with. */
export interface Link extends CoreCalls {
  /** `attached`: another process hosts it. `hosted`: it lives in this process and ends with it. */
  readonly kind: 'attached' | 'hosted';
  readonly pid: number;
  apiAddress(): string | null;
  /** Resolves when the core is gone without having been closed from here. */
  readonly lost: Promise<void>;
  /** Goes on with runs that were left unfinished: these, else all. A core that was found running has done so. */
  takeUp(runIds?: readonly number[]): Promise<void>;
  /** Of a hosted core: the runs that would be cut off by its end. */
  working(): readonly number[];
  /** Of a hosted core: how many other programs use it, which may continue with its runs when it ends. */
  guests(): number;
  /** Of a hosted core: parks what still works, then closes the store. */
  close(): Promise<void>;
}
