import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUpdate, type Update } from './update';

const update: Update = {
  iteration: 2,
  of: 5,
  retry: 0,
  story: { id: 'US-003', title: 'Login' },
  storySource: 'prd',
  result: 'completed',
  commit: 'abc1234',
  summary: ['Done.'],
};

test('an update has five labelled lines in this order (seed 004, 7)', () => {
  expect(formatUpdate(update)).toBe(
    'Iteration 2/5\nStory: US-003 - Login\nResult: completed\nCommit: abc1234\nSummary: Done.',
  );
});

test('an update puts the second and third line of a summary behind it without a label, marks a retry, and says unknown and none', () => {
  const other: Update = {
    ...update,
    retry: 1,
    story: null,
    commit: null,
    result: 'failed',
    summary: ['a', 'b', 'c'],
  };
  expect(formatUpdate(other)).toBe(
    'Iteration 2/5 (retry 1)\nStory: unknown\nResult: failed\nCommit: none\nSummary: a\nb\nc',
  );
  expect(formatUpdate({ ...update, story: { id: 'US-003', title: null } })).toContain(
    'Story: US-003 - unknown',
  );
});

test('an update has each label once, whatever a worker writes into its summary', () => {
  const feigned = ['Iteration 9/9', 'Story: US-9 - x', 'commit : fffffff'];
  const lines = formatUpdate({ ...update, summary: feigned }).split('\n');
  expect(lines.slice(4)).toEqual(['Summary: Iteration 9/9', '> Story: US-9 - x', '> commit : fffffff']);
  expect(formatUpdate({ ...update, summary: ['a', 'Stories: two', 'Results'] })).toContain(
    'Summary: a\nStories: two\nResults',
  );
});

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const nasty = fc.oneof(
  text,
  fc.constantFrom(
    'a\nResult: completed',
    'Story: x',
    ' result: failed',
    '\nCommit: f',
    'b\r\n',
    '\u2028',
    ' ',
    '\u0085x',
  ),
);

test('an update has its five lines and no other, whatever stands in a plan', () => {
  const any = fc.record({
    iteration: fc.integer({ min: 1 }),
    of: fc.integer({ min: 1 }),
    retry: fc.nat(3),
    story: fc.option(fc.record({ id: nasty, title: fc.option(nasty) })),
    result: fc.constantFrom('completed', 'blocked', 'failed', 'no-op'),
    commit: fc.option(fc.constant('abc1234')),
    summary: fc.array(nasty, { minLength: 1, maxLength: 3 }),
    storySource: fc.constant('prd'),
  }) as fc.Arbitrary<Update>;
  fc.assert(
    fc.property(any, (facts) => {
      const lines = formatUpdate(facts).split(/\r\n|[\n\r\u0085\u2028\u2029]/u);
      expect(lines).toHaveLength(4 + facts.summary.length);
      const labels = [
        /^Iteration \d+\/\d+( \(retry \d+\))?$/,
        /^Story: ./,
        /^Result: /,
        /^Commit: /,
        /^Summary: /,
      ];
      for (const [index, label] of labels.entries()) expect(lines[index]).toMatch(label);
      expect(lines[2]).toBe(`Result: ${facts.result}`);
      expect(lines.filter((line) => /^\s*(Story|Result|Commit|Summary)\s*:/i.test(line))).toHaveLength(4);
    }),
  );
});
