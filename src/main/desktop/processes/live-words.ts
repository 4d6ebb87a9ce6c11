/** What would stop if Muster were closed now. */
export interface LiveWork {
  readonly turns: number;
  readonly commands: number;
  /** When the next turn that waits for a provider's limit continues by itself. */
  readonly limitEndsAt: number | null;
}

/** Why the operator is asked before closing Muster; null if nothing would stop. */
export function liveWords({ turns, commands, limitEndsAt }: LiveWork): string | null {
  const parts = [
    turns === 0 ? '' : turns === 1 ? '1 turn' : `${turns} turns`,
    commands === 0 ? '' : commands === 1 ? '1 command' : `${commands} commands`,
  ].filter((part) => part !== '');
  if (parts.length > 0)
    return `${parts.join(' and ')} ${turns + commands === 1 ? 'is' : 'are'} still running.`;
  if (limitEndsAt === null) return null;
  const at = new Date(limitEndsAt).toLocaleString(undefined, {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `A turn is waiting for a provider’s limit and continues at ${at}.`;
}
