import type { AppError } from '@contract/errors';
import type { StoreHealth } from '../../core/ports/store';
import { isCorruption, StoreFault, storeError } from './faults';

/** Whether the disk takes what we write, as the last attempt showed. */
export interface Health {
  current(): StoreHealth;
  listen(listener: (health: StoreHealth) => void): () => void;
  worked(): void;
  /** Notes what went wrong. The error to show, or null where it is a bug, which is for the caller to throw on. */
  failed(fault: unknown): AppError | null;
  /** False once SQLite came upon damage. */
  sound(): boolean;
}

export function createHealth(path: string, now: () => number): Health {
  const listeners = new Set<(health: StoreHealth) => void>();
  let current: StoreHealth = { state: 'ok', since: now(), detail: null };
  /** What was said of damage: one write that works does not mend it. */
  let damage: string | null = null;

  const become = (next: StoreHealth): void => {
    current = next;
    for (const listener of [...listeners]) listener(current);
  };

  return {
    current: () => current,
    sound: () => damage === null,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    worked() {
      if (current.state === 'ok' || (damage !== null && current.detail === damage)) return;
      if (damage === null) become({ state: 'ok', since: now(), detail: null });
      else become({ state: 'failing', since: current.since, detail: damage });
    },
    failed(fault) {
      if (fault instanceof StoreFault) return fault.appError;
      const error = storeError(fault, path);
      if (error === null) return null;
      const detail = error.mend === undefined ? error.message : `${error.message} ${error.mend}`;
      if (isCorruption(fault)) damage = detail;
      const failing = current.state === 'failing';
      if (!failing || current.detail !== detail) {
        become({ state: 'failing', since: failing ? current.since : now(), detail });
      }
      return error;
    },
  };
}
