import type { CoreCalls } from '../../api/core-service';

/** The core that a command works with. */
export interface Link extends CoreCalls {
  /** `attached`: another process hosts it. `hosted`: it is in this process and ends with it. */
  readonly kind: 'attached' | 'hosted';
  readonly pid: number;
  apiAddress(): string | null;
  /** Resolves when the core is gone without having been closed from here. */
  readonly lost: Promise<void>;
  /** Resumes unfinished runs: these, else all. A core found running has done so. */
  takeUp(runIds?: readonly number[]): Promise<void>;
  /** For a hosted core: the runs that its end would interrupt. */
  working(): readonly number[];
  /** For a hosted core: number of other connected programs, which may continue its runs when it ends. */
  guests(): number;
  /** For a hosted core: parks what is working, then closes the store. */
  close(): Promise<void>;
}
