import { unifiedDiff } from '@areas/changes/node/unified-diff';
import { compareRuns } from '@contract/run/comparison/compare';
import type { RunComparison } from '@contract/run/comparison/comparison';
import type { RunState } from '@contract/run/state';

/** Maximum characters of one diff. */
const LONGEST = 60_000;

/** Compares two runs step by step, with diffs of their outputs. */
export function comparison(a: RunState, b: RunState): RunComparison {
  const steps = compareRuns(a, b).map(({ texts: [left, right], ...step }) => {
    const diff = unifiedDiff(step.title, left ?? '', right ?? '');
    return { ...step, diff: diff.slice(0, LONGEST), truncated: diff.length > LONGEST };
  });
  return { steps };
}
