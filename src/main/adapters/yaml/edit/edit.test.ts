import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import { expect, test } from 'vitest';
import { yamlEditor } from '.';

const edited = (text: string, ...edits: WorkflowEdit[]) => {
  const done = yamlEditor.edit(text, edits);
  return done.ok ? done.value.text : done.error;
};

const SHARED = `name: x
steps:
  - id: one
    type: step.agent_task
    config: &same
      instruction: &text do it # said once
      re_prompts: [a]
  - id: two
    type: step.agent_task
    config: *same
  - id: three
    type: step.command
    config: { script: *text }
`;

test('an edit of a shared value is refused with the other places, and changes all of them on request', () => {
  const set: WorkflowEdit = { kind: 'value.set', step: ['two'], path: ['config', 'x'], value: 1 };
  expect(edited(SHARED, set)).toMatchObject({
    code: 'edit.shared',
    message: 'the file also uses this value in: steps[0].config.x',
  });
  expect(edited(SHARED, { ...set, both: true })).toBe(
    SHARED.replace('      re_prompts: [a]\n', '      re_prompts: [a]\n      x: 1\n'),
  );
  const text: WorkflowEdit = {
    kind: 'value.set',
    step: ['one'],
    path: ['config', 'instruction'],
    value: 'all of it',
  };
  expect(edited(SHARED, text)).toMatchObject({ code: 'edit.shared' });
  expect(edited(SHARED, { ...text, both: true })).toBe(SHARED.replace('do it', 'all of it'));
});

test('an alias is replaced in its own place, and an anchor in use is not removed', () => {
  expect(
    edited(SHARED, { kind: 'value.set', step: ['three'], path: ['config', 'script'], value: 'make' }),
  ).toBe(SHARED.replace('*text', 'make'));
  expect(edited(SHARED, { kind: 'step.remove', step: ['two'] })).toBe(
    SHARED.replace('  - id: two\n    type: step.agent_task\n    config: *same\n', ''),
  );
  expect(edited(SHARED, { kind: 'step.remove', step: ['one'] })).toMatchObject({ code: 'edit.shared' });
});

test('a new step is written as its neighbours are, and a cable too', () => {
  const text =
    'name: x\nsteps:\n- id: a\n  type: step.command\n\n# cables\ncables:\n- { from: a.x, to: a.y } # loop\n';
  const fresh = edited(
    text,
    {
      kind: 'step.add',
      body: [],
      step: { id: 'b', type: 'step.command', config: { script: 'a\nb', list: ['x'] } },
    },
    { kind: 'cable.add', body: [], from: 'a.x', to: 'b.y' },
  );
  expect(fresh).toBe(
    text
      .replace(
        'step.command\n',
        'step.command\n- id: b\n  type: step.command\n  config:\n    script: |-\n      a\n      b\n    list:\n    - x\n',
      )
      .replace('# loop\n', '# loop\n- { from: a.x, to: b.y }\n'),
  );
});

const GROUPED = `name: x
steps:
  - id: plan
    type: step.command # before
  # about build
  - id: build   # the first
    type: step.command
    # why
    config:
      script: |2
          make   # no comment
        all

  - {id: check, type: step.command, config: {script: test}} # the last
  - id: ship
    type: step.command
cables:
  - { from: plan.x, to: build.x } # into it
  - { from: build.x, to: check.x }   # inside
`;

test('steps that become the body of a new step keep their lines and comments, only further in', () => {
  const build = { id: 'build', type: 'step.command', config: { script: '  make   # no comment\nall\n' } };
  const check = { id: 'check', type: 'step.command', config: { script: 'test' } };
  const cables = [{ from: 'build.x', to: 'check.x' }];
  const sub = { id: 'sub', type: 'step.workflow', config: { body: { steps: [build, check], cables } } };
  const edits: WorkflowEdit[] = [
    { kind: 'step.add', body: [], step: sub, at: 1 },
    { kind: 'cable.reconnect', body: [], from: 'plan.x', to: 'build.x', newTo: 'sub.x' },
    { kind: 'step.remove', step: ['build'] },
    { kind: 'step.remove', step: ['check'] },
  ];
  const fresh = `name: x
steps:
  - id: plan
    type: step.command # before
  - id: sub
    type: step.workflow
    config:
      body:
        steps:
          - id: build   # the first
            type: step.command
            # why
            config:
              script: |2
                  make   # no comment
                all
          - {id: check, type: step.command, config: {script: test}} # the last
        cables:
          - { from: build.x, to: check.x }   # inside
  # about build

  - id: ship
    type: step.command
cables:
  - { from: plan.x, to: sub.x } # into it
`;
  expect(edited(GROUPED, ...edits)).toBe(fresh);
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');
  expect(edited(crlf(GROUPED), ...edits)).toBe(crlf(fresh));
});

test('many edits at once are made in one reading, however many steps they move', () => {
  const count = 300;
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  const text = `name: x\nsteps:\n${ids.map((id) => `  - id: ${id}\n    type: step.command\n`).join('')}`;
  const moves = ids.map((id, x): WorkflowEdit => ({ kind: 'step.move', step: [id], position: { x, y: 0 } }));
  expect(String(edited(text, ...moves)).match(/position: \{ x: \d+, y: 0 \}/g)).toHaveLength(count);
});

test('a step that is added in front leaves the comments above the first step with that step', () => {
  const text =
    'name: x\nsteps:\n  # Make the plan.\n  # It comes first.\n  - id: plan\n    type: step.command\n';
  const add: WorkflowEdit = { kind: 'step.add', body: [], step: { id: 'a', type: 'step.command' }, at: 0 };
  expect(edited(text, add)).toBe(text.replace('steps:\n', 'steps:\n  - id: a\n    type: step.command\n'));
});

test('a file that is empty or holds comments only gets its first step', () => {
  const add: WorkflowEdit = { kind: 'step.add', body: [], step: { id: 'a', type: 'step.command' } };
  expect(edited('', add)).toBe('steps:\n  - id: a\n    type: step.command\n');
  expect(edited('# mine', add)).toBe('# mine\nsteps:\n  - id: a\n    type: step.command\n');
});

test('a text that is no YAML is not edited', () => {
  expect(edited('a: [', { kind: 'value.set', step: [], path: ['name'], value: 'x' })).toMatchObject({
    code: 'validation.yaml',
    where: { line: 1 },
  });
});
