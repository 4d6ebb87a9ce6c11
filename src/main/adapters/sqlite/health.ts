import type { AppError } from '@contract/errors';
import type { StoreHealth } from '../../core/ports/store/store';
import { isCorruption, StoreFault, storeError } from './faults';

/** Whether writes succeed, according to the last attempt. */
export interface Health {
  current(): StoreHealth;
  listen(listener: (health: StoreHealth) => void): () => void;
  worked(): void;
  /** Records an error. Returns the error to show, or null for a bug, which the caller rethrows. */
  failed(fault: unknown): AppError | null;
  /** False once SQLite found damage. */
  sound(): boolean;
}

export function createHealth(path: string, now: () => number): Health {
  const listeners = new Set<(health: StoreHealth) => void>();
  let current: StoreHealth = { state: 'ok', since: now(), detail: null };
  /** The message about damage: a later successful write does not repair it. */
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
