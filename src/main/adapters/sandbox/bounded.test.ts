import { expect, test } from 'vitest';
import { boundedAnswer, boundedResult } from './bounded';

const result = {
  stdout: 'out',
  stderr: 'err',
  dropped: 0,
  error: 'ValueError',
  interrupted: false,
  final: { call: 'FINAL', text: 'done' } as const,
  variables: ['a'],
};

test('a result within its limits stays as it is', () => {
  expect(boundedResult(result, 20)).toEqual(result);
});

test('a result that is larger than its page may send is cut, and says how much is missing', () => {
  const large = {
    ...result,
    stdout: '😀'.repeat(30),
    stderr: 'e'.repeat(25),
    error: 'x'.repeat(500),
    dropped: 1,
    final: { call: 'FINAL_VAR', text: 'é'.repeat(1_000_005) } as const,
    variables: Array.from({ length: 2_000 }, () => 'n'.repeat(500)),
  };
  const kept = boundedResult(large, 20);
  expect([kept.stdout, kept.stderr, kept.dropped]).toEqual(['😀'.repeat(20), 'e'.repeat(20), 16]);
  expect(kept.error).toHaveLength(120);
  expect([kept.variables.length, kept.variables[0]?.length]).toEqual([1_000, 200]);
  expect(kept.final?.text.endsWith('\n[The answer is cut: 5 more characters are not kept.]')).toBe(true);
  expect(boundedAnswer('short')).toBe('short');
});
