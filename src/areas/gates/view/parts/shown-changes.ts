import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { GateFace } from './face';

type Place = Pick<GateFace, 'runId' | 'gateId'>;

const MOST_GATES = 50;
const shown = new Map<string, Map<string, string>>();

const keyOf = ({ runId, gateId }: Place): string => `${runId}/${gateId}`;

/** Which state of a gate's changes is on the screen: an answer holds for that one only. */
export function noteShown(gate: Place, of: DiffScope, state: string): void {
  const key = keyOf(gate);
  const known = shown.get(key) ?? new Map<string, string>();
  shown.delete(key);
  shown.set(key, known.set(JSON.stringify(of), state));
  for (const oldest of shown.keys()) {
    if (shown.size <= MOST_GATES) return;
    shown.delete(oldest);
  }
}

/** Absent if this window has shown none. */
export function shownChanges(gate: Place): { readonly shown?: string[] } {
  const states = shown.get(keyOf(gate));
  return states === undefined ? {} : { shown: [...states.values()] };
}
