import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { runStarted, stateAfter, workflow } from '@contract/run/testing/events';
import { expect, test } from 'vitest';
import { type OutlineRow, outlineRows } from './outline-rows';

const step = (id: string, type = 't', config = {}) => ({ id, type, config });
const definition = workflow([
  step('review', 'step.loop', {
    body: { steps: [step('fix'), step('check')], cables: [{ from: 'fix.data_out', to: 'check.data_in' }] },
  }),
  step('files', 'step.workflow', { file: 'one.yaml', for_each: { items: '["a"]' } }),
  step('deploy', 'step.workflow', { file: 'two.yaml' }),
]);
const called = {
  'one.yaml': workflow([step('read')]),
  'two.yaml': workflow([{ ...step('build'), title: 'Build it' }]),
};

const runOf = (...events: object[]): RunState =>
  stateAfter([runStarted({ definition, called }), ...events.map((event) => event as RunEvent)]);

const started = (activationId: number, stepId: string, attempt = 1) => ({
  type: 'activation.started',
  activationId,
  stepId,
  attempt,
  inputs: [],
});
const finished = (activationId: number, outcome = 'succeeded', error: object | null = null) => ({
  type: 'activation.finished',
  activationId,
  outcome,
  error,
  outputs: {},
  signals: [],
  receipt: {},
  warnings: [],
});
const scope = (path: string, index: number | null, values = {}) => ({
  type: 'scope.opened',
  scope: path,
  activationId: 1,
  index,
  values,
});
const ended = (path: string, outcome = 'succeeded') => ({
  type: 'scope.ended',
  scope: path,
  outcome,
  error: null,
});

const shown = (rows: readonly OutlineRow[]) =>
  rows.map((row) => {
    const mark = row.open === null ? ' ' : row.open ? 'v' : '>';
    const { word } = row.kind === 'step' ? row.now.word : row.word;
    return `${'  '.repeat(row.level - 1)}${mark} ${row.title}: ${word}${row.note === null ? '' : ` (${row.note})`}`;
  });

test('A loop shows its passes, the one at work with its steps, and a step with an open question in it waits', () => {
  const state = runOf(
    ...[started(1, 'review'), scope('review[1]', 1), started(2, 'review[1]/fix'), finished(2)],
    ...[started(3, 'review[1]/check'), finished(3), ended('review[1]'), scope('review[2]', 2)],
    started(4, 'review[2]/fix'),
    { type: 'gate.opened', gateId: 1, activationId: 4, turnId: null, kind: 'approval', options: [] },
  );
  expect(shown(outlineRows(state, new Map()))).toEqual([
    'v review: Waits for you (1 done, 1 running)',
    '  > Pass 1: Succeeded',
    '  v Pass 2: Waits for you',
    '      fix: Waits for you',
    '      check: Not started',
    '  files: Not started',
    '  deploy: Not started',
  ]);
  const opened = new Map([
    ['review[1]', true],
    ['review[2]', false],
  ]);
  expect(shown(outlineRows(state, opened)).slice(1, 5)).toEqual([
    '  v Pass 1: Succeeded',
    '      fix: Succeeded',
    '      check: Succeeded',
    '  > Pass 2: Waits for you',
  ]);
});

test('A called workflow shows its steps right below its step, closed once it has ended', () => {
  const events = [started(1, 'deploy'), scope('deploy', null), started(2, 'deploy/build')];
  expect(shown(outlineRows(runOf(...events), new Map())).slice(2)).toEqual([
    'v deploy: Running',
    '    Build it: Running',
  ]);
  const over = runOf(...events, finished(2), ended('deploy'), finished(1));
  expect(shown(outlineRows(over, new Map())).slice(2)).toEqual(['> deploy: Succeeded']);
});

test('Items show what they are, steps that were skipped why, and attempts are counted', () => {
  const state = runOf(
    ...[started(1, 'files'), scope('files[1]', 1, { ITEM: 'src/a.ts' }), started(2, 'files[1]/read')],
    ...[finished(2, 'failed', { code: 'internal', message: 'no such file' }), started(3, 'files[1]/read', 2)],
    { type: 'step.skipped', stepId: 'deploy', reason: 'its condition is false', cause: 'condition' },
  );
  const rows = outlineRows(state, new Map());
  expect(shown(rows).slice(1)).toEqual([
    'v files: Running',
    '  v Item 1: Running (src/a.ts)',
    '      read: Running',
    '  deploy: Skipped (its condition is false)',
  ]);
  expect(rows[3]).toMatchObject({ attempts: 2 });
  const failed = outlineRows(
    runOf(started(1, 'files'), finished(1, 'failed', { message: 'gone' })),
    new Map(),
  );
  expect(shown(failed)[1]).toBe('  files: Failed (gone)');
});

test('A step that is switched off says so, which is another thing than a skip', () => {
  const off = { type: 'step.skipped', stepId: 'deploy', reason: 'it is switched off', cause: 'disabled' };
  expect(shown(outlineRows(runOf(off), new Map())).at(-1)).toBe('  deploy: Switched off');
});

test('Steps that a module made for a scope are shown in it', () => {
  const state = runOf(started(1, 'deploy'), scope('deploy[1]', 1), started(2, 'deploy[1]/made'));
  expect(shown(outlineRows(state, new Map())).slice(3)).toEqual([
    '  v Part 1: Running',
    '      Build it: Not started',
    '      made: Running',
  ]);
});

test('two thousand items at work stay closed by themselves', () => {
  const items = Array.from({ length: 2_000 }, (_, at) =>
    scope(`files[${at + 1}]`, at + 1, { ITEM: `${at}` }),
  );
  const state = runOf(started(1, 'files'), ...items);
  expect(outlineRows(state, new Map())).toHaveLength(3 + 2_000);
  expect(outlineRows(state, new Map([['files', false]]))).toHaveLength(3);
});

test('Variants of an experiment show their names', () => {
  const config = {
    target: step('task'),
    variants: [{ name: 'plain' }, { name: 'short', instruction_override: 'x' }],
  };
  const steps = [step('compare', 'step.experiment', config)];
  const events = [started(1, 'compare'), scope('compare[1]', 1), scope('compare[2]', 2)];
  const begin = runStarted({ definition: workflow(steps) });
  const state = stateAfter([begin, ...events.map((event) => event as RunEvent)]);
  expect(shown(outlineRows(state, new Map()))).toEqual([
    'v compare: Running (2 running)',
    '  v Variant 1: Running (plain)',
    '      task: Not started',
    '  v Variant 2: Running (short)',
    '      task: Not started',
  ]);
});
