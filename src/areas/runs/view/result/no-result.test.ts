import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NoResult } from './no-result';

function drawn(outcome: string): string {
  const steps = [{ id: 'send', title: 'Send it', type: 't', config: {} }];
  const events: object[] = [
    {
      type: 'run.started',
      instruction: '',
      references: { baseBranch: null, docsDir: '', inputs: {} },
      definition: { name: 'w', steps, cables: [], returns: 'send' },
    },
    { type: 'step.skipped', stepId: 'send', reason: 'its condition is false: $ok' },
    { type: 'run.finished', outcome, reason: null },
  ];
  const state = replay(
    events.map((event, index) => ({ seq: index + 1, at: index, event: event as RunEvent })),
  );
  if (state === null) throw new Error('no state');
  return renderToStaticMarkup(createElement(NoResult, { state }));
}

test('A run whose returning step was skipped says that there is no result, and why', () => {
  const page = drawn('succeeded');
  expect(page).toContain('No result');
  expect(page).toContain('Send it was skipped: its condition is false: $ok');
});

test('A failed run says no more of a result', () => {
  expect(drawn('failed')).toBe('');
});
