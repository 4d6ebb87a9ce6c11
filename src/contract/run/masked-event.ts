import { masked } from '../catalog/plain-secrets';
import type { AgentProfile } from '../catalog/profile';
import type { StoredEvent } from './events';
import type { RunState } from './state';

type Profiles = Readonly<Record<string, AgentProfile>>;

const maskedProfiles = (profiles: Profiles): Record<string, AgentProfile> =>
  Object.fromEntries(Object.entries(profiles).map(([id, profile]) => [id, masked(profile)]));

/** The event as it leaves the core: without values of profiles that look like secrets. */
export const maskedEvent = (stored: StoredEvent): StoredEvent =>
  stored.event.type === 'run.started'
    ? { ...stored, event: { ...stored.event, profiles: maskedProfiles(stored.event.profiles) } }
    : stored;

/** The same for a state. */
export const maskedState = (state: RunState): RunState => ({
  ...state,
  profiles: maskedProfiles(state.profiles),
});
