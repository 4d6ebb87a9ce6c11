import type { InterruptedCheckout } from '@contract/checkout/procedures';
import type { Result } from '@contract/result';

/** Changes of the operator's checkouts that were begun and not ended, by a Muster or a git that was killed. */
export interface Checkouts {
  /** Looks at them all: what turns out to be whole is forgotten, the rest is given. */
  interrupted(): Promise<readonly InterruptedCheckout[]>;
  /** Finishes a change or takes all of it back. Gives what was done, in words. */
  settle(id: string, how: 'finish' | 'roll_back'): Promise<Result<{ text: string }>>;
}
