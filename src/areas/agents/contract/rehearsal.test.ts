import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { agentProfileSchema } from './profile';
import { rehearsalOf } from './rehearsal';

const profiles = {
  real: agentProfileSchema.parse({ kind: 'acp', id: 'real', name: 'Real', command: 'agent' }),
  script: agentProfileSchema.parse({ kind: 'scripted', id: 'script', name: 'Script', script: 'default' }),
};
const of = (...used: string[]) =>
  rehearsalOf({
    profiles,
    sessions: Object.fromEntries(
      used.map((profileId, id) => [id, double<RunState['sessions'][number]>({ profileId })]),
    ),
  });

test('a run is a rehearsal if its agents followed scripts, and in part if some did', () => {
  expect(of('script', 'script')).toBe('all');
  expect(of('real', 'script')).toBe('some');
  expect(of('real')).toBeNull();
  expect(of()).toBeNull();
  expect(of('gone')).toBeNull();
});
