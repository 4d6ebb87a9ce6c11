import { expect, test } from 'vitest';
import { evidenceLines } from './evidence-lines';

test('printed output is shown without its colours and in its last state', () => {
  const text = '10 %\r100 %\n\u001b[31mfailed\u001b[0m\n';
  expect(evidenceLines([{ kind: 'output', text }])).toEqual(['100 %', 'failed']);
});

test('test results show their outcome, their command and their output', () => {
  const ran = { captured: true, command: 'npm test', exit_code: 1, output_tail: '1 failed\n', turn: 3 };
  expect(evidenceLines([{ kind: 'tests', text: JSON.stringify(ran) }])).toEqual([
    'Failed (exit 1): npm test',
    '  1 failed',
  ]);
  const none = { captured: false, reason: 'no_test_run' };
  expect(evidenceLines([{ kind: 'tests', text: JSON.stringify(none) }])).toEqual(['No tests were run.']);
});

test('changed files are shown by their sign, name and size', () => {
  const files = [
    { path: 'b.ts', old_path: 'a.ts', status: 'renamed', added: 1, removed: 2 },
    { path: 'logo.png', old_path: null, status: 'added', added: null, removed: null },
  ];
  expect(evidenceLines([{ kind: 'files', text: JSON.stringify(files) }])).toEqual([
    'R  a.ts -> b.ts  +1 -2',
    'A  logo.png',
  ]);
});

test('evidence without the form of its kind is shown as it stands', () => {
  for (const kind of ['findings', 'tests', 'files'] as const)
    expect(evidenceLines([{ kind, text: 'no JSON\nat all' }])).toEqual(['no JSON', 'at all']);
});
