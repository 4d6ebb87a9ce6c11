import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { outputPage } from './run-output';

test('an output with the diffs of several agents has the large ones whole', () => {
  const large = { sha256: 'a'.repeat(64), bytes: 900_000, preview: { first: 'a', last: 'z' } };
  const content = [
    { agent_name: 'Anna', diff: large },
    { agent_name: 'Bert', diff: 'small' },
  ];
  const bundle = { content, source_session_key: null, metadata: {}, kind: 'diff' as const };
  const state = double<RunState>({
    activations: { 1: { id: 1, stepId: 'code', finishedAt: 2, outputs: { diff_out: bundle } } },
  });
  const texts = {
    read: ({ sha256 }: { readonly sha256: string }) => (sha256 === large.sha256 ? 'whole' : ''),
  };
  const page = outputPage(state, texts, { step: 'code', port: 'diff_out', from: 0, chars: 10_000 });
  expect(page.ok && JSON.parse(page.value.text)).toEqual([
    { agent_name: 'Anna', diff: 'whole' },
    { agent_name: 'Bert', diff: 'small' },
  ]);
});
