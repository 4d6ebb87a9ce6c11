import type { RunEventOf } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { styleFor } from '@main/cli/output/style';
import { expect, test } from 'vitest';
import { ofLoops } from './event-lines';

const at = {
  style: styleFor({ isTTY: false }, {}),
  again: () => '',
  runId: 1,
  state: double<RunState>({ activations: {} }),
};

test('an attempt names its story in one line, also one without a title', () => {
  const line = (title: string) =>
    ofLoops['loop.attempt-started'](
      {
        type: 'loop.attempt-started',
        activationId: 1,
        attemptId: 1,
        iteration: 1,
        retry: 0,
        of: 3,
        text: null,
        story: { id: 'US-001', title },
      },
      at,
    ).what;
  expect([line('A title\nof two lines'), line('')]).toEqual([
    'iteration 1/3: US-001 - A title of two lines',
    'iteration 1/3: US-001 - unknown',
  ]);
});

test('warnings about an attempt are sentences, as in the window', () => {
  const judged = double<RunEventOf<'loop.attempt-judged'>>({
    type: 'loop.attempt-judged',
    activationId: 1,
    warnings: ['claim-not-borne-out: the worker says completed', 'story-still-open: US-002'],
  });
  expect(ofLoops['loop.attempt-judged'](judged, at)?.under).toEqual([
    'The evidence does not support its claim: the worker says completed',
    'It made commits, and its story is still open: US-002',
  ]);
});

test('the open stories of a plan are counted in good English', () => {
  const line = (...passes: boolean[]) =>
    ofLoops['loop.plan-read'](
      double<RunEventOf<'loop.plan-read'>>({
        type: 'loop.plan-read',
        activationId: 1,
        branch: null,
        archived: null,
        plan: { state: 'read', stories: passes.map((one) => ({ passes: one })) },
      }),
      at,
    ).what;
  expect([line(false), line(true), line(false, true), line(false, false)]).toEqual([
    '1 of 1 story is open',
    '0 of 1 story is open',
    '1 of 2 stories is open',
    '2 of 2 stories are open',
  ]);
});
