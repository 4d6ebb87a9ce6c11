import type { Usage } from '@areas/sessions/contract/session';
import type { PlatformState } from './platform-state';

/** A run's spend plus the usage of one more answer; null usage: the model did not report it. */
export function spent(spend: PlatformState['spend'], usage: Usage | null): PlatformState['spend'] {
  if (usage === null) return { ...spend, untold: spend.untold + 1 };
  const tokens = usage.total_tokens ?? (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return { ...spend, tokens: spend.tokens + tokens, cost_usd: spend.cost_usd + (usage.cost_usd ?? 0) };
}
