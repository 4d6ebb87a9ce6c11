import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import { AttentionService } from './attention-service';

const NOW = 1_700_000_000_000;
type Parts = ConstructorParameters<typeof AttentionService>[0];

const gate = (gateId: number, snoozedUntil: number | null = null) => ({
  runId: 1,
  gateId,
  event: gateId,
  openedAt: gateId,
  status: 'open',
  snoozedUntil,
});
const failed = (id: number, at: number) => ({
  id,
  name: `run ${id}`,
  projectName: 'p',
  status: 'failed',
  at,
  finishedAt: at,
  reason: 'no disk',
});
const reply = (member: string) => ({
  runId: 1,
  runName: 'Writers',
  projectName: 'p',
  activationId: 1,
  member,
});

function serviceOf({ gates = [], runs = [], replies = [], pulls = [] }: Record<string, readonly object[]>) {
  const settings = new Map<string, unknown>();
  const parts = {
    store: {
      gates: ({ after, limit }: { after?: { event: number }; limit: number }) =>
        gates.filter((one) => (one as { event: number }).event > (after?.event ?? 0)).slice(0, limit),
      run: () => ({ projectName: 'p' }),
      runs: () => ({ rows: runs, more: false }),
      setting: (key: string) => settings.get(key),
      setSetting: (key: string, value: unknown) => settings.set(key, value),
    },
    status: { waits: () => [{ runId: 9, runName: 'r', at: NOW + 1, what: 'the limit ends' }] },
    replies: () => replies,
    pulls: () => pulls,
    now: () => NOW,
    changed: () => undefined,
  };
  const open = () => new AttentionService(double<Parts>(parts));
  return { open, list: () => open().list() };
}

test('decisions that were put off are counted, not listed, and come back by themselves', async () => {
  const { list } = serviceOf({ gates: [gate(1), gate(2, NOW + 1), gate(3, NOW)] });
  expect(await list()).toMatchObject({
    value: { decisions: [{ gateId: 1 }, { gateId: 3 }], snoozed: 1, count: 2 },
  });
});

test('more decisions than one page holds are all listed', async () => {
  const { list } = serviceOf({ gates: Array.from({ length: 450 }, (_, index) => gate(index + 1)) });
  expect(await list()).toMatchObject({ value: { count: 450 } });
});

test('members that a feature says wait for a reply count with decisions and failures', async () => {
  const { list } = serviceOf({
    gates: [gate(1)],
    replies: [reply('ana'), reply('ben')],
    runs: [failed(3, 30)],
  });
  expect(await list()).toMatchObject({
    value: { replies: [{ runId: 1, member: 'ana' }, { member: 'ben' }], count: 4 },
  });
});

test('a failure is listed until it was seen, also by the next core, and never again because of an earlier mark', async () => {
  const { open, list } = serviceOf({ runs: [failed(3, 30), failed(2, 20)] });
  expect(await list()).toMatchObject({ value: { failures: [{ runId: 3 }, { runId: 2 }], count: 2 } });
  open().markSeen(20);
  expect(await list()).toMatchObject({ value: { failures: [{ runId: 3, reason: 'no disk' }] } });
  open().markSeen(10);
  expect(await list()).toMatchObject({ value: { failures: [{ runId: 3 }] } });
});

test('a loop that failed twice and asks how to go on is a decision, and no failure beside it', async () => {
  const asks = { ...failed(3, 30), finishedAt: null, reason: null };
  expect(await serviceOf({ gates: [gate(1)], runs: [asks, failed(2, 20)] }).list()).toMatchObject({
    value: { decisions: [{ gateId: 1 }], failures: [{ runId: 2 }], count: 2 },
  });
});

test('a run that goes on by itself is listed apart and needs no one', async () => {
  expect(await serviceOf({}).list()).toMatchObject({ value: { waits: [{ runId: 9 }], count: 0 } });
});

test('one failure can be marked as seen, and is listed again when its run fails again', async () => {
  const runs = [failed(3, 30), failed(2, 20)];
  const { open, list } = serviceOf({ runs });
  open().markSeen(30, 3);
  expect(await list()).toMatchObject({ value: { failures: [{ runId: 2 }] } });
  runs[0] = failed(3, 40);
  expect(await list()).toMatchObject({ value: { failures: [{ runId: 3 }, { runId: 2 }] } });
});

test('changes of pull requests are listed, counted and pushed until they no longer hold', async () => {
  const pulls: object[] = [{ runId: 3, key: 'checks a 1 unit' }];
  const { open, list } = serviceOf({ gates: [gate(1)], pulls });
  expect(await list()).toMatchObject({ value: { pulls: [{ key: 'checks a 1 unit' }], count: 2 } });
  const service = open();
  service.news();
  pulls.length = 0;
  expect(service.news()).toMatchObject({ pulls: [] });
  expect(await list()).toMatchObject({ value: { pulls: [], count: 1 } });
});

test('the lists beside the decisions are pushed only where they have changed', () => {
  const replies: object[] = [];
  const service = serviceOf({ replies }).open();
  expect(service.news()).toMatchObject({ replies: [] });
  expect(service.news()).toBeNull();
  replies.push(reply('ben'));
  expect(service.news()).toMatchObject({ replies: [{ member: 'ben' }] });
});
