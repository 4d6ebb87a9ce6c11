import { expect, test } from 'vitest';
import { placeAt } from './place';

const at = (marked: string) => {
  const offset = marked.indexOf('|');
  return placeAt(marked.replace('|', ''), offset);
};

const STEPS = 'name: w\nsteps:\n  - id: a\n    type: step.command\n    config:\n      script: x\n';

test.each([
  ['na|', [], 'key', null, 'na'],
  [`${STEPS}  - |`, ['steps', '[]'], 'key', null, ''],
  [`${STEPS}  - id: b\n    ty|`, ['steps', '[]'], 'key', null, 'ty'],
  [`${STEPS}  - id: b\n    type: step.a|`, ['steps', '[]'], 'value', 'type', 'step.a'],
  [`${STEPS}      ti|`, ['steps', '[]', 'config'], 'key', null, 'ti'],
  ['steps:\n- id: a\n  config:\n    |', ['steps', '[]', 'config'], 'key', null, ''],
  ['cables:\n  - from: a|', ['cables', '[]'], 'value', 'from', 'a'],
  ['inputs:\n  lang:\n    ty|', ['inputs', 'lang'], 'key', null, 'ty'],
  [
    'steps:\n  - id: a\n    config:\n      body:\n        steps:\n          - i|',
    ['steps', '[]', 'config', 'body', 'steps', '[]'],
    'key',
    null,
    'i',
  ],
])('the place of the cursor in %j is found', (text, ...[path, kind, key, typed]) => {
  expect(at(text)).toMatchObject({ path, kind, key, typed });
});

test('the keys beside the cursor are known, with their values, also those of the step around it', () => {
  const place = at(`${STEPS}      ti|`);
  expect([...(place?.beside.at(-1) ?? [])]).toEqual([['script', 'x']]);
  expect(place?.beside.some((keys) => keys.get('type') === 'step.command')).toBe(true);
});

test('a line in a block of text is read as text', () => {
  expect(at('steps:\n  - id: a\n    config:\n      script: >-\n        echo $a|')).toMatchObject({
    kind: 'text',
    typed: 'echo $a',
  });
  expect(at('a: {b: c, d|')).toMatchObject({ kind: 'value', key: 'a' });
});
