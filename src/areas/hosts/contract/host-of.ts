import type { PlatformState } from '@contract/run/platform-state';

/** The host on which a turn or a command of a run works; null for this machine. */
export function hostOf(
  { definition }: Pick<PlatformState, 'definition'>,
  _work: { readonly activationId: number; readonly sessionId?: number },
): string | null {
  return definition.host ?? null;
}
