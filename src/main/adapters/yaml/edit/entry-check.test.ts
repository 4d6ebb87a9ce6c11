import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import { expect, test, vi } from 'vitest';
import * as texts from '../parsed-texts';
import { yamlEditor } from '.';

const MANY = `name: many
steps:
  - { id: a, type: step.x, config: { script: 'one' }, position: { x: 0, y: 0 } }
  # about b
  - id: b
    type: step.x
    config:
      script: |
        two

  - { id: c, type: step.x, config: { script: 'three' }, position: { x: 9, y: 9 } }
cables:
  - { from: a.x, to: b.x }
`;

/** How often a whole text was parsed for an edit. */
function parsesOf(text: string, edit: WorkflowEdit) {
  const spy = vi.spyOn(texts, 'parsedText');
  const done = yamlEditor.edit(text, [edit]);
  const parses = spy.mock.calls.length;
  spy.mockRestore();
  return { done, parses };
}

const move = (id: string): WorkflowEdit => ({ kind: 'step.move', step: [id], position: { x: 20, y: 0 } });
const script = (id: string, value: string): WorkflowEdit => ({
  kind: 'value.set',
  step: [id],
  path: ['config', 'script'],
  value,
});

test('A change of one step is checked by its own lines, wherever the step stands.', () => {
  for (const edit of [
    move('a'),
    move('b'),
    move('c'),
    script('b', 'x: [1\n\n# y\n'),
    script('c', "it's\n- 1"),
  ]) {
    const { done, parses } = parsesOf(MANY, edit);
    expect(done).toMatchObject({ ok: true });
    expect(parses).toBe(1);
  }
});

test('A change that reaches beyond one step is checked by the whole text.', () => {
  const rename: WorkflowEdit = { kind: 'step.rename', step: ['a'], id: 'other' };
  const name: WorkflowEdit = { kind: 'value.set', step: [], path: ['name'], value: 'some' };
  for (const edit of [rename, name])
    expect(parsesOf(MANY, edit)).toMatchObject({ done: { ok: true }, parses: 2 });
});

test('Where lines alone could mean something else than in their file, the whole text is read.', () => {
  const aliased = MANY.replace("'one'", "&s 'one'").replace("'three'", '*s');
  const old = `%YAML 1.1\n---\n${MANY}`;
  const inFlow = 'steps: [{ id: a, type: step.x, config: { script: one } }, { id: b, type: step.x }]\n';
  for (const text of [aliased, old, inFlow]) {
    const { done, parses } = parsesOf(text, script(text === aliased ? 'b' : 'a', 'other'));
    expect(done).toMatchObject({ ok: true });
    expect(parses).toBe(2);
  }
});
