import { expect, test } from 'vitest';
import type { PullView } from './forge';
import type { PullRecord } from './pull';
import { canFix, itemsOf } from './verdict';

const check = (name: string, state: 'failed' | 'passed' = 'failed') => ({
  ...{ id: name, name, state, url: null, log: null },
});
const view = (more: Partial<PullView> = {}): PullView => ({
  ...{ number: 1, url: '', title: 'Till', state: 'open', draft: false, base: 'main', conflict: 'none' },
  ...{ head: { branch: 'x', commit: 'c' }, blocked: null, files: 1, checks: [], reviews: [], comments: [] },
  ...{ moreComments: false, methods: [] },
  ...more,
});
const record = (of: Partial<PullView> = {}, more: Partial<PullRecord> = {}): PullRecord => ({
  ...{ title: 'Till', body: '', draft: false, base: 'main', reviewers: [], labels: [], key: 'k', runId: 1 },
  ...{ runName: 'Till', projectName: null, projectPath: '/shop', host: 'h', repository: 'r' },
  ...{ headRepository: 'r', branch: 'x', result: 'c', commit: 'c', remote: 'origin', asked: null },
  ...{ merge: null, error: null, number: 1, url: null, state: 'open', at: 1, view: view(of), readAt: 9 },
  ...{ handled: [], fix: null },
  ...more,
});
const kinds = (of: PullRecord) => itemsOf(of).map(({ kind }) => kind);

test('what needs the operator is there as long as it holds, and not after it was dismissed', () => {
  const failed = record({ checks: [check('unit'), check('lint', 'passed')] });
  const [item] = itemsOf(failed);
  expect(item).toMatchObject({ kind: 'check_failed', what: 'Failed: unit', at: 9 });
  expect(kinds({ ...failed, handled: [item?.key ?? ''] })).toEqual([]);
  expect(kinds(record({ checks: [check('unit', 'passed')] }))).toEqual([]);
  // Another check that fails on the same commit is news.
  const more = record({ checks: [check('unit'), check('lint')] }, { handled: [item?.key ?? ''] });
  expect(kinds(more)).toEqual(['check_failed']);
});

test('only the last verdict of a reviewer counts, a conflict and a close are items, and a merge ends them', () => {
  const review = (id: string, verdict: 'approved' | 'changes_requested', at: number) => ({
    ...{ id, author: 'cem', verdict, body: '', at },
  });
  const reviews = [review('2', 'approved', 5), review('1', 'changes_requested', 4)];
  expect(itemsOf(record({ reviews, conflict: 'conflict' }))).toMatchObject([
    { kind: 'conflict', what: 'It conflicts with main.' },
    { kind: 'approved', what: 'cem approved it.', at: 5 },
  ]);
  expect(kinds(record({ reviews, state: 'closed' }))).toEqual(['closed']);
  expect(kinds(record({ reviews, state: 'merged' }))).toEqual([]);
});

test('failed checks are left to a loop that fixes them, and a write that failed is an item', () => {
  const fix = { round: 1, of: 3, key: 'k', sent: true, at: 1, ended: null };
  const looping = record({ checks: [check('unit')] }, { fix });
  expect([kinds(looping), canFix(looping)]).toEqual([[], false]);
  const error = { code: 'forge.unreachable' as const, message: 'h cannot be reached' };
  expect(kinds(record({}, { asked: 'push', error }))).toEqual(['failed']);
});

test('the key of an item is short enough for a decision that can be undone, whatever its checks are called', () => {
  const checks = Array.from({ length: 50 }, (_, at) => check(`検査${at}`.repeat(40)));
  const head = { branch: 'x', commit: 'c'.repeat(40) };
  const [item] = itemsOf(record({ checks, head }));
  expect(encodeURIComponent(item?.key ?? '').length).toBeLessThan(480);
  expect(item?.what.length).toBeLessThanOrEqual(310);
});

test('a pull request can be fixed while a check fails, or something was not sent to the agent yet', () => {
  const comments = [{ id: '9', author: 'cem', body: 'Why?', path: null, line: null, url: '', at: 0 }];
  expect(canFix(record())).toBe(false);
  expect(canFix(record({ checks: [check('unit')] }))).toBe(true);
  expect(canFix(record({ comments }))).toBe(true);
  expect(canFix(record({ comments }, { handled: ['comment 9'] }))).toBe(false);
  expect(canFix(record({ comments }, { state: 'merged' }))).toBe(false);
});
