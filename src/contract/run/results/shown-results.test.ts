import { expect, test } from 'vitest';
import { double } from '../../testing/double';
import type { RunState } from '../state';
import type { RunResult } from './results';
import { resultToApply, shownResults } from './shown-results';

const result = (workspaceId: number | null, more: Partial<RunResult> = {}): RunResult => ({
  workspaceId,
  path: `/w/${workspaceId}`,
  branch: `muster/${workspaceId}`,
  commit: `c${workspaceId}`,
  base: 'b',
  files: 1,
  uncommitted: 0,
  includedIn: null,
  note: null,
  unread: null,
  unsettled: null,
  ...more,
});

/** Workspace 1 belongs to `build`, 2 and 3 to two agents of `docs`. */
const state = (results: readonly RunResult[], applied: RunState['applied'] = []) =>
  double<RunState>({
    results,
    applied,
    workspaces: {
      1: { activationId: 1, lane: null },
      2: { activationId: 2, lane: 'ana' },
      3: { activationId: 2, lane: 'ben' },
    },
    activations: { 1: { stepId: 'build' }, 2: { stepId: 'docs' } },
  });

const chosen = (of: RunState, address?: string) => {
  const found = resultToApply(shownResults(of), address);
  return found.ok ? found.value.workspaceId : found.error.message;
};

test('The only result with work in it is applied without being named', () => {
  expect(chosen(state([result(null, { files: 0 }), result(1)]))).toBe(1);
  expect(chosen(state([result(null, { includedIn: 1 }), result(1)]))).toBe(1);
});

test('Of several results one must be named, and the error lists their names', () => {
  const several = state([result(null, { files: 0 }), result(1), result(2), result(3)]);
  expect(resultToApply(shownResults(several), undefined)).toMatchObject({
    error: { code: 'input.invalid', mend: 'Name one with --step: build, docs/ana, docs/ben' },
  });
  expect(chosen(several, 'docs/ben')).toBe(3);
  expect(chosen(several, 'constructor')).toBe('The run has no result called "constructor".');
  expect(chosen(several, 'run')).toMatch(/changed no files/);
});

test('A result that was applied stays so until the run has another one', () => {
  const applied = [{ workspaceId: 1, result: 'c1', target: 'main', commit: 'm', change: null, at: 5 }];
  expect(shownResults(state([result(1)], applied))).toMatchObject([
    { state: 'applied', applied: { commit: 'm' } },
  ]);
  expect(shownResults(state([result(1, { commit: 'c9' })], applied))).toMatchObject([{ state: 'to_apply' }]);
});

test('A folder that cannot be read is not called empty, and applying it says why', () => {
  const unread = { code: 'workspace.unreadable' as const, message: '.git is missing', mend: 'repair it' };
  const lost = result(1, { files: 0, unread });
  expect(shownResults(state([result(null, { files: 0 }), lost])).map((one) => one.state)).toEqual([
    'empty',
    'unreadable',
  ]);
  expect(chosen(state([result(null, { files: 0 }), lost]))).toBe('.git is missing');
  expect(chosen(state([result(2), lost]))).toBe('.git is missing');
  const gone = { code: 'not_found' as const, message: 'the folder is gone' };
  expect(chosen(state([result(1, { files: 2, unread: gone })]))).toBe(1);
});

test('A run in a plain folder, and one that changed nothing, say why there is nothing to apply', () => {
  expect(chosen(state([result(null, { commit: null, branch: null })]))).toMatch(/plain folder.*\/w\/null/);
  expect(chosen(state([result(null, { files: 0 })]))).toMatch(/changed no files/);
});
