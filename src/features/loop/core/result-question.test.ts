import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { type Deed, LoopHarness } from './testing/loop';

/** A loop whose workers answer so, each turn with this number of changed files. */
async function loopOf(deeds: readonly Deed[], files: number | null = 0) {
  const harness = new LoopHarness(['US-001']);
  harness.folders.snapshot = async (_place, name) => ok(name);
  harness.folders.changes = async (_place, { before, after }) =>
    files === null ? null : { before, after, files, added: 0, removed: 0 };
  harness.deeds = [...deeds];
  await harness.loop({ iterations: 1 });
  const turns = Object.values(harness.state().turns).map(({ kind, sessionId }) => `${kind} s${sessionId}`);
  return { harness, turns, summary: harness.updates()[0]?.update.summary ?? [] };
}

const LOOKED: Deed = { say: 'I looked at the story and at the server.' };

test('a worker that changed nothing and gives no result is asked once in its session, and its answer decides', async () => {
  const blocked: Deed = { say: 'The key of the server is missing.\nResult: blocked' };
  const { harness, turns, summary } = await loopOf([LOOKED, blocked]);
  expect(turns).toEqual(['primary s1', 'reminder s1']);
  expect(harness.agents.sent[1]?.request.prompt).toContain('Result: completed | blocked | failed | no-op');
  expect(harness.results()).toEqual(['1 blocked US-001']);
  expect(summary.join(' ')).toContain('I looked at the story');
  expect(summary.join(' ')).toContain('The key of the server is missing.');
});

test('a worker that does not answer the question either is asked no second time', async () => {
  const { harness, turns } = await loopOf([LOOKED, LOOKED]);
  expect(turns).toEqual(['primary s1', 'reminder s1']);
  expect(harness.results()).toEqual(['1 no-op US-001']);
});

test.each<[string, Deed, number | null]>([
  ['states its result', { say: 'Nothing to do.\nResult: no-op' }, 0],
  ['says in plain words that it is stuck', { say: 'I am blocked: I need the password.' }, 0],
  ['changed files', LOOKED, 2],
  ['works where changes are unknown', LOOKED, null],
])('a worker that %s is not asked for its result', async (_what, deed, files) => {
  expect((await loopOf([deed], files)).turns).toEqual(['primary s1']);
});
