import { ownValue, setOwnValue } from '@contract/own';
import type { Reducers } from '@contract/run/event-table';
import type { PlatformState } from '@contract/run/platform-state';
import type { HostEvent } from './events';
import { hostOf } from './host-of';
import type { LostHost } from './lost-host';

export const hostReducers: Reducers<PlatformState, HostEvent> = {
  'host.disconnected'(state, { host, since }) {
    setOwnValue(state.lostHosts, host, { host, since });
  },
  'host.reconnected'(state, { host }) {
    delete state.lostHosts[host];
  },
};

/** The host that cannot be reached and on which work of an activation continues; null if there is none. */
export function lostHostOf(
  state: PlatformState,
  work: { readonly status: string; readonly activationId: number; readonly sessionId?: number },
): LostHost | null {
  if (work.status !== 'in_flight' && work.status !== 'running') return null;
  const host = hostOf(state, work);
  return host === null ? null : (ownValue(state.lostHosts, host) ?? null);
}
