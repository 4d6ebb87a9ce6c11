import { FakeCore } from '@main/api/testing/fake-core';
import { FakeLink } from '@main/cli/testing/fake-link';
import { program } from '@main/cli/testing/program';
import { row } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

test('a list is words for a person and a document for a program', async () => {
  const link = new FakeLink(new FakeCore({ 'run.list': () => ({ rows: [row], more: false }) }), 'hosted');
  const text = await program('list', link);
  expect(text.code).toBe(0);
  expect(text.out.split('\n')[0]).toMatch(/^RUN +STATUS +STEPS +STARTED/);
  expect(text.out).toMatch(/^1 +parked +0\/1/m);
  expect(link.closed).toBe(true);
  const json = await program(
    'list --json',
    new FakeLink(new FakeCore({ 'run.list': () => ({ rows: [row], more: false }) })),
  );
  expect(JSON.parse(json.out)).toEqual({ runs: [row], more: false, live: true, parked: [] });
});

test('a run that waits has taken the time since its start, and a parked one that until its last event', async () => {
  const startedAt = Date.now() - 3_600_000;
  const waits = { ...row, startedAt, at: startedAt + 5_000 };
  const listed = (live: readonly number[]) =>
    new FakeLink(
      new FakeCore({ 'run.list': () => ({ rows: [waits], more: false }), 'run.live': () => live }),
    );
  expect((await program('list', listed([1]))).out).toContain('1 h 00 min');
  expect((await program('list', listed([]))).out).toContain(' 5 s ');
});

test('the list of runs says when a run goes on by itself', async () => {
  const waits = [
    { runId: 1, runName: 'w', projectName: null, at: Date.now() + 239_000, what: 'the limit ends' },
  ];
  const besides = { decisions: [], replies: [], failures: [], pulls: [], waits, snoozed: 0, count: 0 };
  const core = new FakeCore({
    'run.list': () => ({
      rows: [
        { ...row, status: 'limited' },
        { ...row, id: 2 },
      ],
      more: false,
    }),
    'run.live': () => [1, 2],
    'attention.list': () => besides,
  });
  const lines = (await program('list', new FakeLink(core))).out.split('\n');
  expect(lines.map((line) => line.includes('goes on in 4 min'))).toEqual([false, true, false, false]);
});

test('a run that the core for another command has not taken up is parked, and not running', async () => {
  const core = () =>
    new FakeLink(new FakeCore({ 'run.list': () => ({ rows: [row], more: false }), 'run.live': () => [7] }));
  expect((await program('list', core())).out).toMatch(/^1 +parked +0\/1/m);
  expect(JSON.parse((await program('list --json', core())).out)).toMatchObject({ parked: [1] });
});
