import type { SystemStatus } from '@contract/system/procedures';
import { LONGEST_AWAKE_MS } from '../limits/main';

/**
 * Whether to keep the machine awake: agents or commands are working, or one continues by itself when a
 * provider's limit ends, which a sleeping machine would miss.
 */
export function keepsAwake({ core, live }: Pick<SystemStatus, 'core' | 'live'>, now: number): boolean {
  // The known work is that of the core's last status.
  if (core.state === 'failed') return false;
  if (live.turns + live.commands + live.steps > 0) return true;
  return live.limitEndsAt !== null && live.limitEndsAt - now <= LONGEST_AWAKE_MS;
}
