import { ownValue } from '@contract/own';
import type { RunState } from '@contract/run/state';
import { capabilitiesOf } from './agent-kinds';

type Rehearsal = 'all' | 'some';

/** Whether all or some agents of a run followed a script; null if none did. */
export function rehearsalOf({
  profiles,
  sessions,
}: Pick<RunState, 'profiles' | 'sessions'>): Rehearsal | null {
  const used = Object.values(sessions).flatMap(({ profileId }) => ownValue(profiles, profileId) ?? []);
  const rehearsed = used.filter((profile) => capabilitiesOf(profile).rehearsed);
  if (rehearsed.length === 0) return null;
  return rehearsed.length === used.length ? 'all' : 'some';
}

export const rehearsalWords: Readonly<Record<Rehearsal, string>> = {
  all: 'This was a rehearsal: its agents followed scripts, and no model answered.',
  some: 'Part of this was a rehearsal: some agents followed scripts, and no model answered there.',
};

/** What an agent that follows a script is called where agents are chosen. */
export const REHEARSAL = 'Rehearsal';
export const rehearsalHint = 'A rehearsal: this agent follows a script, and no model answers.';
