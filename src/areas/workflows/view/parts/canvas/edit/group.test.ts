import type { Json } from '@contract/ids';
import { expect, test } from 'vitest';
import { applyEdit } from '../../../../contract/apply-edit';
import { ALIGNMENTS, alignedPlaces } from './align';
import { groupEdits, lostComments } from './group';

const step = (id: string, more: Record<string, Json> = {}) => ({ id, type: 'step.command', ...more });
const DOCUMENT: Json = {
  steps: [
    step('plan'),
    step('build', { position: { x: 40, y: 10 } }),
    step('check', { position: { x: 20, y: 90 } }),
    step('ship'),
  ],
  cables: [
    { from: 'plan.data_out', to: 'build.data_in' },
    { from: 'build.data_out', to: 'check.data_in' },
    { from: 'check.signal_out', to: 'ship.signal_in' },
    { from: 'check.revise_out', to: 'plan.context_in' },
  ],
};
const without = (from: string): Json => {
  const { steps, cables } = DOCUMENT as { steps: Json; cables: (Json & { from: string })[] };
  return { steps, cables: cables.filter((cable) => cable.from !== from) };
};
const grouped = (document: Json, keys: readonly string[]): Json => {
  const made = groupEdits(document, keys);
  if ('whyNot' in made) throw new Error(made.whyNot);
  return made.edits.reduce<Json>((value, edit) => {
    const done = applyEdit(value, edit);
    if (!done.ok) throw new Error(done.error.message);
    return done.value;
  }, document);
};
const whyNot = (document: Json, keys: readonly string[]): string => {
  const made = groupEdits(document, keys);
  return 'whyNot' in made ? made.whyNot : '';
};

test('selected steps become the body of one step, whose cables lead where theirs led', () => {
  expect(grouped(without('check.revise_out'), ['build', 'check'])).toEqual({
    steps: [
      step('plan'),
      {
        id: 'sub_workflow',
        type: 'step.workflow',
        position: { x: 20, y: 10 },
        config: {
          body: {
            steps: [
              step('build', { position: { x: 40, y: 10 } }),
              step('check', { position: { x: 20, y: 90 } }),
            ],
            cables: [{ from: 'build.data_out', to: 'check.data_in' }],
          },
        },
      },
      step('ship'),
    ],
    cables: [
      { from: 'plan.data_out', to: 'sub_workflow.data_in' },
      { from: 'sub_workflow.signal_out', to: 'ship.signal_in' },
    ],
  });
});

test('steps whose cables cannot cross the border of a body are not grouped, and the canvas says why', () => {
  expect(whyNot(DOCUMENT, ['build', 'check'])).toContain('check.revise_out');
  expect(whyNot(without('check.revise_out'), ['plan', 'check'])).toContain('first of these steps');
  expect(whyNot(DOCUMENT, ['build'])).toContain('two steps');
});

const BOXES = new Map([
  ['a', { x: 0, y: 0, width: 100, height: 50 }],
  ['b', { x: 130, y: 200, width: 100, height: 50 }],
  ['c', { x: 500, y: 90, width: 200, height: 110 }],
]);
const lined = (how: (typeof ALIGNMENTS)[number]['id']) => [...alignedPlaces(BOXES, how).values()];

test('steps are aligned by their edges and centers, and with equal gaps', () => {
  expect(lined('left').map(({ x }) => x)).toEqual([0, 0, 0]);
  expect(lined('right').map(({ x }) => x)).toEqual([600, 600, 500]);
  expect(lined('top').map(({ y }) => y)).toEqual([0, 0, 0]);
  expect(lined('bottom').map(({ y }) => y)).toEqual([200, 200, 140]);
  expect(lined('column').map(({ x }) => x)).toEqual([300, 300, 250]);
  expect(lined('row').map(({ y }) => y)).toEqual([100, 100, 70]);
  expect(lined('across').map(({ x }) => x)).toEqual([0, 250, 500]);
  expect([...alignedPlaces(BOXES, 'down')].map(([key, { y }]) => [key, y])).toEqual([
    ['a', 0],
    ['c', 70],
    ['b', 200],
  ]);
  for (const { id } of ALIGNMENTS) expect(alignedPlaces(new Map([...BOXES].slice(0, 1)), id).size).toBe(0);
});

test('comments that a change leaves out of a file are named, each as often as it is gone', () => {
  const before = '# top\na: 1 # same\nb: "x # y" # same\n';
  expect(lostComments(before, before)).toEqual([]);
  expect(lostComments(before, '# top\nc:\n  b: "x # y" # same\n')).toEqual(['# same']);
});
