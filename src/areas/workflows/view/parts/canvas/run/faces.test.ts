import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { expect, test } from 'vitest';
import { canvasGraph } from '../graph/graph';
import { runFaces } from './faces';

const definition = {
  name: 'w',
  steps: ['plan', 'build'].map((id) => ({ id, type: 'step.command', config: {} })),
  cables: [{ from: 'plan.data_out', to: 'build.data_in' }],
};
const started = (activationId: number, stepId: string) => ({
  type: 'activation.started',
  activationId,
  stepId,
  attempt: 1,
  inputs: [],
});

function runOf(...events: object[]): RunState {
  const all = [
    {
      type: 'run.started',
      definition,
      instruction: '',
      references: { baseBranch: null, docsDir: '', inputs: {} },
    },
    ...events,
  ];
  const state = replay(all.map((event, index) => ({ seq: index + 1, at: index, event: event as RunEvent })));
  if (state === null) throw new Error('no state');
  return state;
}

test('an event of one step leaves the face of every other step the same object', () => {
  const graph = canvasGraph({ ...definition, ports: {}, open: new Set() });
  const shown = { graph, chosen: new Map() };
  const before = runFaces(runOf(started(1, 'plan')), { ...shown, before: null });
  const after = runFaces(runOf(started(1, 'plan'), started(2, 'build')), { ...shown, before });
  expect(after.steps.get('plan')).toBe(before.steps.get('plan'));
  expect(before.steps.get('build')?.word.word).toBe('Not started');
  expect(after.steps.get('build')?.word.word).toBe('Running');
});

test('a cable that was taken once stays taken when its step runs again and goes another way', () => {
  const finished = (activationId: number, signals: string[]) => ({
    type: 'activation.finished',
    activationId,
    outcome: 'succeeded',
    outputs: {},
    signals,
    receipt: { summary: '', metadata: {} },
    warnings: [],
    error: null,
  });
  const again = { ...started(2, 'plan'), attempt: 2 };
  const run = runOf(started(1, 'plan'), finished(1, ['data_out']), again, finished(2, []));
  const graph = canvasGraph({ ...definition, ports: {}, open: new Set() });
  const { cables } = runFaces(run, { graph, chosen: new Map(), before: null });
  expect([...cables.values()]).toEqual([{ state: 'crossed', times: 1 }]);
});

test('a step that is switched off shows that on its canvas, and what it did not give stays untaken', () => {
  const skipped = (stepId: string, reason: string, cause: string) => ({
    type: 'step.skipped',
    stepId,
    reason,
    cause,
  });
  const run = runOf(
    skipped('plan', 'it is switched off', 'disabled'),
    skipped('build', 'step "plan" was skipped', 'skipped'),
  );
  const graph = canvasGraph({ ...definition, ports: {}, open: new Set() });
  const { steps, cables } = runFaces(run, { graph, chosen: new Map(), before: null });
  expect(steps.get('plan')).toMatchObject({ word: { word: 'Switched off' }, note: null });
  expect(steps.get('build')).toMatchObject({ word: { word: 'Skipped' }, note: 'step "plan" was skipped' });
  expect([...cables.values()]).toEqual([{ state: 'missed', times: 0 }]);
});
