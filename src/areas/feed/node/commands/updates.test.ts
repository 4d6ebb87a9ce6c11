import { FakeCore } from '@main/api/testing/fake-core';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { row as run } from '@main/cli/testing/story';
import { expect, test, vi } from 'vitest';
import type { UpdateRow } from '../../contract/procedures';

const update = (id: number): UpdateRow => ({
  id,
  runId: 1,
  runName: 'notes',
  activationId: 1,
  turnId: id,
  stepId: 'write',
  at: 1,
  update: {
    iteration: id,
    of: 9,
    retry: 0,
    story: { id: 'write', title: null },
    storySource: 'step',
    result: 'completed',
    commit: null,
    summary: ['Done.', 'And more.'],
  },
  text: `Iteration ${id}/9\nStory: write - unknown\nResult: completed\nCommit: none\nSummary: Done.\nAnd more.`,
});
const text = (...ids: number[]) => `${ids.map((id) => update(id).text).join('\n\n')}\n`;

function feed() {
  const rows = [update(1), update(2), update(3)];
  const core = new FakeCore({
    'run.find': () => run,
    'feed.list': ({ before = 1e9, after, limit }: { before?: number; after?: number; limit: number }) => {
      const fit = rows.filter(({ id }) => (after === undefined ? id < before : id > after));
      const part = after === undefined ? fit.slice(-Math.min(limit, 2)) : fit.slice(0, limit);
      return { rows: [...part].reverse(), more: part.length < fit.length };
    },
    'delivery.list': () => ({ rows: [], more: false }),
    'delivery.retry': () => ({ count: 2 }),
  });
  return { core, rows };
}

async function program(...args: string[]) {
  const { core } = feed();
  const { world, said, opened } = fakeWorld(args, new FakeLink(core));
  const code = await runProgram(world);
  return { code, ...said, opened, calls: core.calls.filter(({ name }) => name !== 'system.status') };
}

test('updates are printed as exactly their texts, the oldest first, over all pages', async () => {
  expect(await program('updates')).toMatchObject({ code: 0, out: text(1, 2, 3), err: '' });
  expect((await program('updates', '--limit', '1')).out).toBe(text(3));
  const json = await program('updates', '1', '--json');
  expect(
    json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([update(1), update(2), update(3)]);
  expect(json.calls.at(-1)?.input).toMatchObject({ runId: run.id });
  expect(await program('updates', '--limit', 'x')).toMatchObject({ code: 2 });
  expect(await program('updates', '--result', 'x')).toMatchObject({ code: 2 });
});

test('following prints each posted update once, until it is stopped', async () => {
  const { core, rows } = feed();
  const { world, said, stop, opened } = fakeWorld(
    ['updates', '--follow', '--limit', '1'],
    new FakeLink(core),
  );
  const ended = runProgram(world);
  await vi.waitFor(() => expect(said.out).toBe(text(3)), 30_000);
  rows.push(update(4), update(5));
  core.push({ topic: 'feed', rows: [update(5)] });
  await vi.waitFor(() => expect(said.out).toBe(text(3, 4, 5)), 30_000);
  stop.abort();
  expect(await ended).toBe(0);
  expect(opened[0]?.options).toEqual({ mode: 'attached' });
});

test('following goes on with the next core where one is lost, and prints nothing twice', async () => {
  const { core, rows } = feed();
  const first = new FakeLink(core);
  const { world, said, stop } = fakeWorld(
    ['updates', '--follow', '--limit', '1'],
    [first, new FakeLink(core)],
  );
  const ended = runProgram(world);
  await vi.waitFor(() => expect(said.out).toBe(text(3)), 30_000);
  first.lose();
  rows.push(update(4));
  await vi.waitFor(() => expect(said.out).toBe(text(3, 4)), 30_000);
  expect(said.err).toBe('The core has stopped; looking for another one.\n');
  stop.abort();
  expect(await ended).toBe(0);
});

test('deliveries are listed, and tried again', async () => {
  expect((await program('deliveries')).out).toBe('No deliveries.\n');
  const tried = await program('deliveries', '--retry-target', 'hook');
  expect(tried).toMatchObject({
    code: 0,
    out: 'Retrying 2.\n',
    opened: [{ options: { mode: 'working' } }],
  });
  expect(tried.calls.at(-1)).toMatchObject({ name: 'delivery.retry', input: { target: 'hook' } });
});
