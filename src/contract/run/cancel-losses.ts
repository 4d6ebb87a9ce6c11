import type { RunState } from './state';

/** Work in progress whose result is lost when the run is cancelled. */
export interface CancelLoss {
  readonly kind: 'turn' | 'command';
  /** The agent's profile, or the first line of the command's script. */
  readonly name: string;
  readonly since: number;
}

/**
 * What cancelling the run would interrupt, longest-running first. Work that waits for the operator loses
 * nothing.
 */
export function cancelLosses({ turns, commands, sessions, status }: RunState): CancelLoss[] {
  if (status !== 'running') return [];
  const inFlight = Object.values(turns).filter((turn) => turn.status === 'in_flight');
  const running = Object.values(commands).filter((command) => command.status === 'running');
  return [
    ...inFlight.map(({ sessionId, startedAt }): CancelLoss => {
      return { kind: 'turn', name: sessions[sessionId]?.profileId ?? 'an agent', since: startedAt };
    }),
    ...running.map(({ script, startedAt }): CancelLoss => {
      return { kind: 'command', name: script.trim().split('\n', 1)[0] ?? '', since: startedAt };
    }),
  ].sort((a, b) => a.since - b.since);
}
