import { ownValue } from '@contract/own';
import type { RunState } from '@contract/run/state';
import type { ReplicaView } from './replica';

/** Equal by identity, or two lists or plain records whose parts are equal by identity. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => Object.is(one, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && Object.is(ownValue(a, name), ownValue(b, name)))
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * A part of a run's state that stays the same object while it is equal. While a past moment is loading, the
 * part of the previous moment stays.
 */
export class Selection<T> {
  #last: { state: RunState; select: (state: RunState) => T; value: T } | null = null;

  of({ state, status }: Pick<ReplicaView, 'state' | 'status'>, select: (state: RunState) => T): T | null {
    const last = this.#last;
    if (state === null) return status === 'loading' ? (last?.value ?? null) : null;
    if (last !== null && last.state === state && last.select === select) return last.value;
    const fresh = select(state);
    const value = last !== null && isSame(last.value, fresh) ? last.value : fresh;
    this.#last = { state, select, value };
    return value;
  }
}
