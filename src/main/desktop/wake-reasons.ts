import type { SystemStatus } from '@contract/system/procedures';
import { LONGEST_AWAKE_MS } from '../limits/main';

/**
 * Whether the machine is to stay awake: agents or commands work, or one continues by itself when a provider's limit ends,
 * which a machine that sleeps would miss.
 */
export function keepsAwake({ core, live }: Pick<SystemStatus, 'core' | 'live'>, now: number): boolean {
  // What is known of the work is what it was when the core was last there.
  if (core.state === 'failed') return false;
  if (live.turns + live.commands > 0) return true;
  return live.limitEndsAt !== null && live.limitEndsAt - now <= LONGEST_AWAKE_MS;
}
