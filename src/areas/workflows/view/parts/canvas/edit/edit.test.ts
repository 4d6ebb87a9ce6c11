import type { Json } from '@contract/ids';
import { workflow } from '@contract/run/testing/events';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyEdit } from '../../../../contract/apply-edit';
import type { PortSpec } from '../../../../contract/definition';
import type { WorkflowEdit } from '../../../../contract/edit';
import { canvasGraph } from '../graph/graph';
import { clipOf, clipText, outermost, pasteEdits, readClip } from './clip';
import { drawable } from './drawable-file';
import { additionOf, freshId, lastAgent, starterConfig } from './new-step';
import { allMoves, bodyUnder, moveEdits, unplaced } from './places';
import { cableEdit, editableSteps, reconnectEdit, rewiring, wiring } from './wiring';
import { yamlText } from './yaml-text';

const port = (name: string, more: Partial<PortSpec> = {}): PortSpec => ({
  name,
  label: name,
  kind: 'bundle',
  ...more,
});
const PORTS = {
  inputs: [port('data_in'), port('signal_in', { kind: 'signal' })],
  outputs: [
    port('revise_out', { leadsBack: true }),
    port('data_out'),
    port('signal_out', { kind: 'signal' }),
  ],
};
const step = (id: string, more: Record<string, Json> = {}) => ({
  id,
  type: 'step.agent_task',
  config: {},
  ...more,
});
const LOOP = step('again', {
  position: { x: 300, y: 0 },
  config: {
    body: { steps: [step('fix'), step('check')], cables: [{ from: 'fix.data_out', to: 'check.data_in' }] },
  },
});
const DOCUMENT: Json = {
  name: 'Drawn',
  steps: [
    step('plan', { config: { instruction: 'Plan.' } }),
    LOOP,
    step('ask', { config: { message: 'Is "$plan.output" good?' } }),
  ],
  cables: [
    { from: 'plan.data_out', to: 'again.data_in' },
    { from: 'again.data_out', to: 'ask.data_in' },
  ],
};
const KEYS = ['plan', 'again', 'again/fix', 'again/check', 'ask'];
const drawn = (document: Json = DOCUMENT) => {
  const level = drawable(document);
  if (level === null) throw new Error('no steps');
  return canvasGraph({
    ...level,
    ports: Object.fromEntries(KEYS.map((key) => [key, PORTS])),
    open: new Set(['again']),
  });
};
const edited = (document: Json, edits: readonly WorkflowEdit[]): Json =>
  edits.reduce<Json>((value, edit) => {
    const done = applyEdit(value, edit);
    if (!done.ok) throw new Error(done.error.message);
    return done.value;
  }, document);
const end = (step: string, port: string) => ({ step, port });

test('a cable fits where the core would take it, and else the canvas says why not', () => {
  const whyNot = wiring(drawn());
  expect(whyNot(end('plan', 'data_out'), end('ask', 'data_in'))).toBeNull();
  expect(whyNot(end('ask', 'revise_out'), end('plan', 'data_in'))).toBeNull();
  expect(whyNot(end('plan', 'data_out'), end('ask', 'signal_in'))).toBeNull();
  expect(whyNot(end('plan', 'signal_out'), end('ask', 'data_in'))).toContain('signal');
  expect(whyNot(end('plan', 'data_out'), end('again', 'data_in'))).toContain('already');
  expect(whyNot(end('ask', 'data_out'), end('plan', 'data_in'))).toContain('cannot lead back');
  expect(whyNot(end('plan', 'data_out'), end('plan', 'data_in'))).toContain('itself');
  expect(whyNot(end('plan', 'data_out'), end('again/fix', 'data_in'))).toContain('body');
  expect(whyNot(end('plan', 'data_out'), end('gone', 'data_in'))).not.toBeNull();
});

test('a cable that leads elsewhere is not in its own way', () => {
  const graph = drawn();
  const cable = graph.cables.find(({ parent }) => parent === null);
  if (cable === undefined) throw new Error('no cable');
  const ends = [end('plan', 'data_out'), end('ask', 'data_in')] as const;
  expect(rewiring(graph, cable.key)(...ends)).toBeNull();
  const edit = reconnectEdit(cable, ...ends);
  expect(edit).toMatchObject({ kind: 'cable.reconnect', from: 'plan.data_out', newTo: 'ask.data_in' });
  expect(edit).not.toHaveProperty('newFrom');
  expect(reconnectEdit(cable, cable.from, cable.to)).toBeNull();
});

test('a cable in a body is added to that body', () => {
  expect(cableEdit(drawn(), end('again/fix', 'signal_out'), end('again/check', 'signal_in'))).toEqual({
    kind: 'cable.add',
    body: ['again'],
    from: 'fix.signal_out',
    to: 'check.signal_in',
  });
});

const TYPE = {
  type: 'step.agent_task',
  version: 1,
  title: 'Agent task',
  description: '',
  ports: PORTS,
  configSchema: {
    type: 'object',
    properties: { instruction: { type: 'string' } },
    required: ['instruction'],
  } as Json,
};

test('a new step stands behind the chosen one, with a free id and a cable for data', () => {
  const graph = drawn();
  const after = graph.steps.find(({ key }) => key === 'again/fix') ?? null;
  const { key, edits } = additionOf({ document: DOCUMENT, type: TYPE, after });
  expect(key).toBe('again/agent_task');
  const body = (edited(DOCUMENT, edits) as { steps: { config: { body: Record<string, unknown> } }[] })
    .steps[1]?.config.body;
  const titled = { id: 'agent_task', title: 'Agent task' };
  expect(body?.steps).toMatchObject([{ id: 'fix' }, titled, { id: 'check' }]);
  expect(body?.cables).toContainEqual({ from: 'fix.data_out', to: 'agent_task.data_in' });
});

test('a new step is titled by its type, with a number if another step of the body has that title', () => {
  const titles = ['Agent task', 'Agent task 2', null];
  const document = { steps: titles.map((title, index) => ({ id: `s${index}`, title })) };
  const { edits } = additionOf({ document, type: TYPE, after: null });
  expect(edits).toMatchObject([{ step: { id: 'agent_task', title: 'Agent task 3' } }]);
});

test('a step that is dropped gets its place and no cable', () => {
  const { key, edits } = additionOf({
    document: DOCUMENT,
    type: TYPE,
    after: null,
    position: { x: 4, y: 8 },
  });
  expect(key).toBe('agent_task');
  expect(edits).toMatchObject([{ kind: 'step.add', body: [], step: { position: { x: 4, y: 8 } } }]);
});

test('a free id avoids steps and what dangling cables name', () => {
  expect(freshId(new Set(['task', 'task_2']), 'task')).toBe('task_3');
  expect(freshId(new Set(), '9 lives')).toBe('_lives');
  const document = { steps: [], cables: [{ from: 'agent_task.data_out', to: 'x.data_in' }] };
  expect(additionOf({ document, type: TYPE, after: null }).key).toBe('agent_task_2');
});

test('a new step has the numbers and choices it needs, and a body one step', () => {
  const schema = {
    type: 'object',
    properties: {
      body: { type: 'object' },
      most: { type: 'integer', minimum: 1, maximum: 2 },
      mode: { type: 'string', enum: ['fast', 'slow'] },
      text: { type: 'string' },
      free: { type: 'integer' },
    },
    required: ['most', 'mode', 'text'],
  };
  expect(starterConfig(schema, null)).toMatchObject({
    most: 2,
    mode: 'fast',
    body: { steps: [{ type: 'step.agent_task' }] },
  });
  expect(Object.keys(starterConfig(schema, null)).sort()).toEqual(['body', 'mode', 'most']);
});

test('a new step gets the agent of the last step with one, and where it has a body the step inside gets it', () => {
  const agent = { acp_profile_id: { type: 'string' } };
  const inner = { id: 'in', type: 'step.agent_task', config: { acp_profile_id: 'second' } };
  const steps: Json = [
    { id: 'a', type: 'step.agent_task', config: { acp_profile_id: 'first' } },
    { id: 'b', type: 'step.loop', config: { body: { steps: [inner] } } },
    { id: 'c', type: 'step.command', config: {} },
  ];
  expect(lastAgent({ steps })).toBe('second');
  expect(lastAgent({ steps: [] })).toBeNull();
  expect(starterConfig({ properties: agent }, 'first')).toEqual({ acp_profile_id: 'first' });
  expect(starterConfig({ properties: { ...agent, body: {} } }, 'first')).toMatchObject({
    body: { steps: [{ config: { acp_profile_id: 'first' } }] },
  });
  expect(starterConfig({ properties: { ...agent, body: {} } }, 'first')).not.toHaveProperty('acp_profile_id');
});

test('steps go to the clipboard as YAML, and come back with free ids that cables and references follow', () => {
  const text = clipText(clipOf(DOCUMENT, ['plan', 'ask', 'again', 'again/fix']));
  expect(text).toContain('- id: plan\n');
  const clip = readClip(parse(text));
  if (clip === null) throw new Error('no steps');
  expect(clip.cables).toHaveLength(2);
  const { keys, edits } = pasteEdits(DOCUMENT, clip, []);
  expect(keys).toEqual(['plan_2', 'ask_2', 'again_2']);
  const after = edited(DOCUMENT, edits) as { steps: Record<string, unknown>[]; cables: unknown[] };
  expect(after.steps[4]).toMatchObject({ id: 'ask_2', config: { message: 'Is "$plan_2.output" good?' } });
  expect(after.steps[5]).toMatchObject({ id: 'again_2', position: { x: 340, y: 40 } });
  expect(after.cables).toContainEqual({ from: 'again_2.data_out', to: 'ask_2.data_in' });
  expect(after.cables).toHaveLength(4);
});

test('text that holds no steps cannot be pasted', () => {
  for (const value of [null, 'text', 7, {}, { steps: [] }, { steps: [{ id: '9', type: 'x' }] }, [1]])
    expect(readClip(value as Json)).toBeNull();
  expect(outermost(['a', 'a/b', 'ab'])).toEqual(['a', 'ab']);
});

test('text on the clipboard reads as it was, whatever it holds', () => {
  const texts = [
    ...[
      '',
      ' ',
      'a',
      'a b',
      'yes',
      'Null',
      '1',
      '1e3',
      '.5',
      '~',
      '- a',
      'a: b',
      'a #b',
      '"q"',
      "'",
      '$plan.output',
    ],
    ...[
      'one\ntwo',
      'one\ntwo\n',
      'one\n\n\ntwo\n\n',
      '\n',
      ' lead\nx',
      'tab\there',
      'a\r\nb',
      '\u2028',
      '\u0085x',
    ],
    ...[
      '#\nx',
      '- x\ny: z',
      'end \n  in\n',
      '日本語',
      '🙂\n🙃',
      '---\n...',
      '@x',
      '{a}',
      '[',
      'a,b',
      '!x',
      '%x',
      '|',
    ],
  ];
  for (const text of texts)
    expect(parse(yamlText({ text, list: [text, { text }] }))).toEqual({ text, list: [text, { text }] });
  const value = { 'a: b': [], empty: {}, deep: [[1, [2]], { x: null, y: [true, -1.5] }], y: '' };
  expect(parse(yamlText(value))).toEqual(value);
});

const placement = {
  at: new Map([
    ['plan', { x: 0, y: 0 }],
    ['again', { x: 300, y: 0 }],
    ['again/fix', { x: 24, y: 64 }],
    ['again/check', { x: 324, y: 64 }],
    ['ask', { x: 1000, y: 0 }],
  ]),
  sizes: new Map(
    KEYS.map((key) => [key, key === 'again' ? { width: 600, height: 160 } : { width: 216, height: 56 }]),
  ),
  origins: new Map([['again', { x: 24, y: 64 }]]),
};

test('a drop into an open body belongs to it, with a place from its origin', () => {
  const graph = drawn();
  expect(bodyUnder({ graph, placement }, { x: 340, y: 100 })).toEqual({
    parent: 'again',
    at: { x: 16, y: 36 },
  });
  expect(bodyUnder({ graph, placement }, { x: 340, y: 500 })).toEqual({
    parent: null,
    at: { x: 340, y: 500 },
  });
});

test('a move is one edit for each step that stands elsewhere', () => {
  const graph = drawn();
  const moves = new Map([
    ['again', { x: 300, y: 0 }],
    ['again/fix', { x: 8, y: 8 }],
    ['gone', { x: 1, y: 1 }],
  ]);
  expect(moveEdits(graph, moves)).toEqual([
    { kind: 'step.move', step: ['again', 'fix'], position: { x: 8, y: 8 } },
  ]);
  expect(allMoves({ graph, placement }).get('again/check')).toEqual({ x: 300, y: 0 });
  expect(unplaced(graph).steps.some(({ step }) => step?.position !== undefined)).toBe(false);
});

test('steps of a called workflow cannot be changed from the step that calls it', () => {
  const called = workflow([{ id: 'inside' }], { name: 'Inner' });
  const graph = canvasGraph({
    steps: [step('call', { type: 'step.workflow', config: { file: 'inner.yaml' } })],
    cables: [],
    ports: {},
    open: new Set(['call']),
    called: { 'inner.yaml': called },
  });
  expect(graph.steps.map(({ key }) => key)).toContain('call/inside');
  expect([...editableSteps(graph).keys()]).toEqual(['call']);
});

test('the steps of a file with errors are drawn as far as they have an id and a type', () => {
  expect(drawable(null)).toBeNull();
  expect(drawable({ name: 'x' })).toEqual({ steps: [], cables: [] });
  const value: Json = {
    steps: [{ id: 'a', type: 't', extra: 1 }, { id: 'b' }, 7],
    cables: [{ from: 'a.x', to: 'b.y' }, 'no'],
  };
  expect(drawable(value)).toMatchObject({
    steps: [{ id: 'a', type: 't', config: {} }],
    cables: [{ from: 'a.x' }],
  });
});
