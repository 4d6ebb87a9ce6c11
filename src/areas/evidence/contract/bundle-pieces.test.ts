import type { WholeBundle } from '@areas/workflows/contract/definition';
import { expect, test } from 'vitest';
import { bundlePieces } from './bundle-pieces';
import { readFiles } from './file-list';
import { readTestResults, testsWord } from './test-results';

const bundle = (content: WholeBundle['content'], kind?: 'files' | 'tests' | 'diff'): WholeBundle => ({
  content,
  source_session_key: null,
  metadata: { step_id: 'code' },
  ...(kind && { kind }),
});
const file = { path: 'a.ts', old_path: null, status: 'modified', added: 2, removed: 1 };

test('the files of several agents are a list each, under the name of its agent', () => {
  const content = [
    { agent_role: 'Coder', agent_name: 'Ada', files: [file] },
    { agent_role: 'Tester', agent_name: 'Bob', files: [] },
  ];
  const pieces = bundlePieces(bundle(content, 'files'));
  expect(pieces.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    'files Coder: Ada',
    'files Tester: Bob',
  ]);
  expect(readFiles(pieces[0]?.text ?? '')).toEqual([file]);
  expect(bundlePieces(bundle([file], 'files')).map(({ text }) => readFiles(text))).toEqual([[file]]);
});

test('a piece is titled by the step that it came from, by its title where it has one', () => {
  const text = bundle('# Hello');
  expect(bundlePieces(text)[0]?.title).toBe('code');
  expect(bundlePieces(text, (key) => `Step ${key}`)[0]?.title).toBe('Step code');
});

test('the kind of an earlier output, whose step named none, is that of its form', () => {
  expect(bundlePieces(bundle('# Hello')).map(({ kind }) => kind)).toEqual(['markdown']);
  expect(bundlePieces(bundle({ merged_content: 'x' })).map(({ kind }) => kind)).toEqual(['markdown']);
  expect(bundlePieces(bundle([1])).map(({ kind }) => kind)).toEqual(['json']);
});

test('a run of tests passed or failed as its exit code says, and neither where none was reported', () => {
  const word = (exit_code: number | null) => {
    const text = JSON.stringify({
      captured: true,
      command: 'npm test',
      exit_code,
      output_tail: null,
      turn: 1,
    });
    const results = readTestResults(text);
    return results === null || results === 'none' ? null : testsWord(results);
  };
  expect([word(0), word(2), word(null)]).toEqual(['Passed', 'Failed', 'Exit code not reported']);
  expect(readTestResults('{"captured": false, "reason": "no_test_run"}')).toBe('none');
});
