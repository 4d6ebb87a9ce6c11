import { expect, test } from 'vitest';
import { yamlReader } from './document';

const read = (text: string) => yamlReader.parse(text, 'w.yaml').value;

test('Numbers that become texts keep their digits, and other numbers stay numbers', () => {
  const text = `name: w
max_parallel: 4
inputs:
  id: { default: 9007199254740993 }
  share: { type: number, default: 1.0 }
  count: { type: number, default: 3 }
steps:
  - id: each
    type: step.workflow
    config:
      inputs: { version: 1.10 }
      for_each:
        items: [9007199254740993, 1.0, 2, { id: 9007199254740993, name: "a: b", deep: [1.50] }, { id: 4 }]
        max_parallel: 5
      body:
        steps:
          - id: inner
            type: step.workflow
            config: { for_each: { items: [1.0] } }
`;
  expect(read(text)).toMatchObject({
    max_parallel: 4,
    inputs: {
      id: { default: '9007199254740993' },
      share: { default: '1.0' },
      count: { default: 3 },
    },
    steps: [
      {
        config: {
          inputs: { version: '1.10' },
          for_each: {
            items: [
              '9007199254740993',
              '1.0',
              2,
              '{"id":9007199254740993,"name":"a: b","deep":[1.50]}',
              { id: 4 },
            ],
            max_parallel: 5,
          },
          body: { steps: [{ config: { for_each: { items: ['1.0'] } } }] },
        },
      },
    ],
  });
});

test('A number elsewhere is read as a number, however it is written', () => {
  expect(read('steps:\n  - { timeout_minutes: 1.50, config: { default: 2.0, items: [3.0] } }\n')).toEqual({
    steps: [{ timeout_minutes: 1.5, config: { default: 2, items: [3] } }],
  });
});
