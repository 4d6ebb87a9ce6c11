import type { Json } from '@contract/ids';
import { expect, test } from 'vitest';
import { applyEdit } from './apply-edit';
import { type WorkflowEdit, workflowEditSchema } from './edit';

const file = (): Json => ({
  name: 'Release',
  returns: 'build',
  steps: [
    { id: 'plan', type: 'step.agent_task', config: { instruction: 'Plan it' } },
    {
      id: 'build',
      type: 'step.loop',
      config: {
        max_iterations: 3,
        body: {
          steps: [
            {
              id: 'fix',
              type: 'step.agent_task',
              config: { instruction: 'Fix', re_prompts: ['a', 'b', 'c'] },
            },
            { id: 'test', type: 'step.command' },
          ],
          cables: [{ from: 'fix.data_out', to: 'test.data_in' }],
          output: 'fix',
        },
      },
    },
  ],
  cables: [{ from: 'plan.data_out', to: 'build.data_in' }],
});

const after = (edit: WorkflowEdit, document: Json = file()) => {
  const done = applyEdit(document, workflowEditSchema.parse(edit));
  return done.ok ? done.value : done.error.code;
};
/** The effect of an edit: the differing lines of the two definitions. */
function changed(edit: WorkflowEdit): string[] {
  const lines = (value: unknown) => JSON.stringify(value, null, 1).split('\n');
  const [old, fresh] = [lines(file()), lines(after(edit))];
  const sign = (of: string[], other: string[], mark: string) =>
    of.filter((line) => !other.includes(line)).map((line) => `${mark}${line.trim()}`);
  return [...sign(old, fresh, '-'), ...sign(fresh, old, '+')];
}

test('renaming a step renames the ends of its cables and the result of the workflow', () => {
  expect(changed({ kind: 'step.rename', step: ['build'], id: 'make' })).toEqual([
    '-"returns": "build",',
    '-"id": "build",',
    '-"to": "build.data_in"',
    '+"returns": "make",',
    '+"id": "make",',
    '+"to": "make.data_in"',
  ]);
});

test('a step in a body is renamed in its body alone', () => {
  expect(changed({ kind: 'step.rename', step: ['build', 'fix'], id: 'mend' })).toEqual([
    '-"id": "fix",',
    '-"from": "fix.data_out",',
    '-"output": "fix"',
    '+"id": "mend",',
    '+"from": "mend.data_out",',
    '+"output": "mend"',
  ]);
});

test('a rename reaches the texts of bodies, except of those with a step of that id', () => {
  const nested: Json = {
    steps: [
      { id: 'a', type: 't' },
      { id: 'b', type: 't', config: { body: { steps: [{ id: 'c', type: 't' }] } } },
      { id: 'd', type: 't', config: { body: { steps: [{ id: 'a', type: 't' }] } } },
    ],
  };
  const done = applyEdit(nested, { kind: 'step.rename', step: ['a'], id: 'z' }, () => [
    { path: ['when'], text: 'read' },
  ]);
  expect(done.ok && done.value).toEqual({
    steps: [
      { id: 'z', type: 't', when: 'read' },
      {
        id: 'b',
        type: 't',
        when: 'read',
        config: { body: { steps: [{ id: 'c', type: 't', when: 'read' }] } },
      },
      { id: 'd', type: 't', when: 'read', config: { body: { steps: [{ id: 'a', type: 't' }] } } },
    ],
  });
});

test('a step is removed with its cables', () => {
  expect(after({ kind: 'step.remove', step: ['build'] })).toEqual({
    name: 'Release',
    returns: 'build',
    steps: [{ id: 'plan', type: 'step.agent_task', config: { instruction: 'Plan it' } }],
    cables: [],
  });
});

test('steps and cables are made in a file that has none', () => {
  const added = after({ kind: 'step.add', body: [], step: { id: 'a', type: 'step.command' } }, null);
  expect(after({ kind: 'cable.add', body: [], from: 'a.data_out', to: 'a.data_in' }, added as Json)).toEqual({
    steps: [{ id: 'a', type: 'step.command' }],
    cables: [{ from: 'a.data_out', to: 'a.data_in' }],
  });
});

test('a value is set through maps that are not there, and a position is one value', () => {
  const set = after({
    kind: 'value.set',
    step: ['build', 'test'],
    path: ['config', 'retry', 'on'],
    value: 'all',
  });
  expect(JSON.stringify(set)).toContain(
    '{"id":"test","type":"step.command","config":{"retry":{"on":"all"}}}',
  );
  expect(JSON.stringify(after({ kind: 'step.move', step: ['plan'], position: { x: 1, y: 2 } }))).toContain(
    '"position":{"x":1,"y":2}',
  );
});

test('entries of a list are added, moved and removed', () => {
  const at = { step: ['build', 'fix'], path: ['config', 're_prompts'] };
  const list = (edit: WorkflowEdit) => JSON.stringify(after(edit)).match(/"re_prompts":(\[.*?\])/)?.[1];
  expect(list({ kind: 'list.insert', ...at, at: 3, value: 'd' })).toBe('["a","b","c","d"]');
  expect(list({ kind: 'list.move', ...at, at: 0, to: 2 })).toBe('["b","c","a"]');
  expect(list({ kind: 'list.remove', ...at, at: 1 })).toBe('["a","c"]');
});

test.each<[string, WorkflowEdit, string]>([
  ['a step that is not there', { kind: 'step.remove', step: ['build', 'plan'] }, 'edit.no_place'],
  ['an id that is taken', { kind: 'step.rename', step: ['plan'], id: 'build' }, 'edit.refused'],
  [
    'a cable that is not there',
    { kind: 'cable.remove', body: [], from: 'plan.x', to: 'build.y' },
    'edit.no_place',
  ],
  [
    'the steps as a value',
    { kind: 'value.set', step: ['build'], path: ['config', 'body', 'steps'], value: [] },
    'edit.refused',
  ],
  ['the id as a value', { kind: 'value.set', step: ['build'], path: ['id'], value: 'x' }, 'edit.refused'],
  [
    'an entry behind the end',
    { kind: 'list.remove', step: ['build', 'fix'], path: ['config', 're_prompts'], at: 3 },
    'edit.no_place',
  ],
  [
    'a key of a text',
    { kind: 'value.set', step: ['plan'], path: ['config', 'instruction', 'x'], value: 1 },
    'edit.refused',
  ],
])('an edit of %s is refused', (_title, edit, code) => {
  expect(after(edit)).toBe(code);
});

test('a name like __proto__ stays a name', () => {
  const done = after({ kind: 'value.set', step: ['plan'], path: ['config', '__proto__'], value: { x: 1 } });
  expect(JSON.stringify(done)).toContain('"__proto__":{"x":1}');
  expect(Object.getPrototypeOf(done)).toBe(Object.prototype);
});
