import { appError } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { FakeCore } from '@main/api/testing/fake-core';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { finished, started, working } from '@main/cli/testing/story';
import { makeBundle } from '@main/core/step/output/bundle';
import { expect, test } from 'vitest';

const place = {
  stepId: 'ok',
  activationId: 1,
  sessionKey: 'ok',
  port: 'data_out',
  kind: 'markdown',
} as const;

function answered(content: Record<string, string> | null): RunEvent[] {
  const outputs: RunEventOf<'activation.finished'>['outputs'] = {};
  if (content !== null) outputs.data_out = makeBundle(content, place);
  const warnings = ['One quotation is in none of the documents.'];
  return finished('succeeded').map((event) =>
    event.type === 'activation.finished' ? { ...event, warnings, outputs } : event,
  );
}

/** Asks a core that ends as soon as the run has ended. */
async function ask(end: readonly RunEvent[]) {
  const log: FakeCore = new FakeCore();
  if (started.type !== 'run.started') throw new Error('no start');
  log.commit(1, [{ ...started, definition: { ...started.definition, returns: 'ok' } }, working, ...end]);
  const core = new FakeCore({
    'project.add': () => ({ id: 1, path: '/work', name: 'p', addedAt: 1, trouble: null }),
    'rlm.start': () => ({ runId: 1 }),
    'run.events': ({ afterSeq }: { afterSeq: number }) => log.log.filter(({ seq }) => seq > afterSeq),
    'run.get': () => ({ ok: false, error: appError('unavailable', 'this Muster is shutting down') }),
    'run.results': () => [],
  });
  const words = ['rlm', 'ask', 'Why?', '--docs', 'a.txt', '--model', 'm', '--json'];
  const { world, said: printed } = fakeWorld(words, new FakeLink(core));
  const code = await runProgram(world);
  const records = printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, answer: records.find(({ kind }) => kind === 'answer'), said: printed.out + printed.err };
}

test('an answered question prints its answer, also where its core ends with the run', async () => {
  const { code, answer } = await ask(answered({ merged_content: 'Because.' }));
  expect([code, answer]).toMatchObject([
    0,
    { text: 'Because.', warnings: ['One quotation is in none of the documents.'] },
  ]);
});

test('a question that ends without an answer is no success', async () => {
  const { code, said } = await ask(answered(null));
  expect(code).toBe(70);
  expect(said).toContain('succeeded without an answer');
});
