import type { RunEvent } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import { expect, test } from 'vitest';
import { activation, activationEnd, started } from '../testing/story';
import { Tallies, tallyOf } from './step-counts';

const begin = started({ uid: 'run', projectId: 1, steps: ['write', 'review', 'publish'] });
const events: RunEvent[] = [
  activation(1, 'write'),
  activation(2, 'review'),
  activationEnd(1),
  activationEnd(2, 'failed'),
  { type: 'step.skipped', stepId: 'publish', reason: 'review failed', cause: 'upstream_failed' },
  { type: 'run.finished', outcome: 'failed', reason: null },
  { type: 'run.resumed', by: 'operator', activationIds: [2] },
  activationEnd(2, 'revised'),
  activation(3, 'write'),
  activation(4, 'review'),
  activationEnd(4),
  activationEnd(3, 'rejected'),
];

test('a step count that follows the events equals one that is counted again, whenever it is read', () => {
  for (const every of [1, 2, 5]) {
    const tallies = new Tallies();
    const state = reduce(null, { seq: 1, at: 1, event: begin });
    tallies.of(state);
    events.forEach((event, index) => {
      reduce(state, { seq: index + 2, at: index + 2, event });
      tallies.follow(state, event);
      if (index % every === 0) expect(tallies.of(state), `after ${event.type}`).toEqual(tallyOf(state));
    });
  }
});

test('a state that replaces another one is counted again', () => {
  const tallies = new Tallies();
  const history = [begin, activation(1, 'write')].map((event, seq) => ({ seq: seq + 1, at: seq, event }));
  const [first, second] = [replay(history), replay(history.slice(0, 1))];
  if (first === null || second === null) throw new Error('no state');
  expect([...tallies.of(first).running]).toEqual(['write']);
  expect([...tallies.of(second).running]).toEqual([]);
});
