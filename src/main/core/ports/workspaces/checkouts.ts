import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import type { Result } from '@contract/result';

/** Changes of the operator's checkouts that were interrupted when Muster or git was killed. */
export interface Checkouts {
  /** Checks them all: forgets those that turn out complete, and returns the rest. */
  interrupted(): Promise<readonly InterruptedCheckout[]>;
  /** Finishes a change or rolls it back completely. Returns a description of what was done. */
  settle(id: string, how: 'finish' | 'roll_back'): Promise<Result<{ text: string }>>;
}
