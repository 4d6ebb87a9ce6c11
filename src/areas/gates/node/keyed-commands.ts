import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { KeyedAnswer } from '@contract/run/command-key';
import type { RunState } from '@contract/run/state';

interface Sent {
  readonly runId: number;
  readonly key?: string | undefined;
}

/**
 * Serialises commands with the same key in a run. A second one waits until the first is durable or refused,
 * so that uncommitted results are never reported.
 */
export class KeyedCommands {
  private readonly last = new Map<string, Promise<unknown>>();

  async inTurn<T>({ runId, key }: Sent, act: () => Promise<T>): Promise<T> {
    if (key === undefined) return act();
    const name = `${runId}/${key}`;
    const mine = (this.last.get(name) ?? Promise.resolve()).then(act, act);
    this.last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(name) === mine) this.last.delete(name);
    }
  }
}

/** What `pick` finds in the stored answer for this key; null if there is none. */
export function answered<T>(
  { answers }: RunState,
  key: string | undefined,
  pick: (answer: KeyedAnswer) => T | null,
): Result<T | null> {
  const before = key === undefined ? undefined : ownValue(answers, key);
  if (before === undefined) return ok(null);
  const found = pick(before);
  return found === null
    ? fail('input.invalid', `the key ${key} belongs to another command`, { mend: 'send a new key' })
    : ok(found);
}
