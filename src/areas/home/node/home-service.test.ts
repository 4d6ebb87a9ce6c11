import type { Attention } from '@areas/attention/contract/procedures';
import { ok } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import { HomeService } from './home-service';

const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
type Parts = ConstructorParameters<typeof HomeService>[0];

const run = (id: number, status: RunRow['status'], finishedAt: number) =>
  runRow({ id, status, finishedAt, at: finishedAt });
const gate = {
  runId: 4,
  gateId: 1,
  kind: 'approval' as const,
  title: 'Publish?',
  runName: 'Notes',
  openedAt: 5,
};

function homeOf(runs: readonly RunRow[] = []) {
  const settings = new Map<string, unknown>();
  const asked: { since?: number | undefined; from?: number } = {};
  const totals = { turns: 2, ms: null, tokens: 30, costUsd: null, tokensUnreported: 0, costUnreported: 2 };
  const attention = double<Attention>({
    decisions: [{ ...gate, evidence: 'x'.repeat(10_000) }],
    replies: [],
    failures: [],
    pulls: [],
    waits: [],
    snoozed: 0,
    count: 1,
  });
  const parts = double<Parts>({
    store: {
      runs: ({ endedSince }: { endedSince?: number }) => {
        asked.since = endedSince;
        return { rows: runs, more: false };
      },
      spend: ({ from }: { from: number }) => {
        asked.from = from;
        return { rows: [], more: false, pieces: null, pending: 0, totals };
      },
      setting: (key: string) => settings.get(key),
      setSetting: (key: string, value: unknown) => settings.set(key, value),
    },
    attention: { list: async () => ok(attention) },
    marks: { marks: () => ({ readTo: 0, unread: 3 }) },
    runs: () => [
      { state: double<RunState>({ status: 'running', workspaceStatus: 'requested' }) },
      { state: double<RunState>({ status: 'finished', outcome: 'succeeded' }) },
    ],
    now: () => NOW,
  });
  return { open: () => new HomeService(parts), asked };
}

test('Home shows the last day before the operator has looked for the first time', async () => {
  const { open, asked } = homeOf();
  expect(await open().get()).toMatchObject({ value: { lookedAt: null, since: NOW - DAY } });
  expect(asked).toEqual({ since: NOW - DAY, from: NOW - DAY });
});

test('the mark of the last look outlives the service, and can be taken back', async () => {
  const { open, asked } = homeOf();
  expect(open().looked(NOW - 60_000)).toBeNull();
  expect(await open().get()).toMatchObject({ value: { lookedAt: NOW - 60_000, since: NOW - 60_000 } });
  expect(asked.since).toBe(NOW - 60_000);
  expect(open().looked(null)).toBe(NOW - 60_000);
  expect(await open().get()).toMatchObject({ value: { lookedAt: null } });
});

test('failed runs stand apart from those that ended otherwise, the last one first', async () => {
  const { open } = homeOf([
    run(4, 'succeeded', 10),
    run(3, 'failed', 30),
    run(2, 'rejected', 20),
    run(1, 'unreadable', 40),
  ]);
  const home = await open().get();
  if (!home.ok) throw new Error(home.error.message);
  expect(home.value.ended.map(({ id }) => id)).toEqual([2, 4]);
  expect(home.value.failed.map(({ id }) => id)).toEqual([1, 3]);
});

test('questions come without their evidence, with what needs the operator and what was used', async () => {
  const home = await homeOf().open().get();
  expect(home).toMatchObject({
    value: { decisions: [gate], needs: 1, running: 1, unread: 3, spend: { totals: { costUsd: null } } },
  });
  expect(JSON.stringify(home)).not.toContain('xxx');
});
