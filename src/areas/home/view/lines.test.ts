import type { RunRow } from '@contract/run/procedures';
import { runRow } from '@main/api/testing/run-row';
import { expect, test } from 'vitest';
import type { Home } from '../contract/procedures';
import { homeFacts, homeSections, MOST_NEEDS } from './lines';

const run = (id: number, status: RunRow['status']): RunRow =>
  runRow({
    id,
    uid: `U${id}`,
    name: `Run ${id}`,
    projectName: 'site',
    status,
    finishedAt: 10,
    at: 10,
    tokens: 1200,
  });
const totals = { turns: 3, ms: null, tokens: 1200, costUsd: null, tokensUnreported: 0, costUnreported: 3 };
const quiet: Home = {
  lookedAt: 5,
  since: 5,
  now: 20,
  ended: [],
  failed: [],
  more: false,
  decisions: [],
  replies: [],
  pulls: [],
  waits: [],
  needs: 0,
  running: 0,
  unread: 0,
  spend: {
    totals: { ...totals, turns: 0, ms: null, tokens: null, costUnreported: 0 },
    rows: [],
  },
};

const busy: Home = {
  ...quiet,
  ended: [run(1, 'succeeded')],
  failed: [run(2, 'failed')],
  needs: 3,
  decisions: [{ runId: 3, gateId: 4, kind: 'approval', title: 'Publish?', runName: 'Notes', openedAt: 8 }],
  replies: [
    {
      runId: 5,
      runName: 'Writers',
      projectName: 'p',
      activationId: 6,
      member: 'ana',
      round: 2,
      since: 9,
      lastWords: null,
    },
  ],
  waits: [{ runId: 7, runName: 'Night', projectName: 'p', at: 99, what: 'The limit ends' }],
  spend: {
    totals,
    rows: [
      {
        key: '1',
        label: 'Run 1',
        detail: 'site',
        runId: 1,
        projectId: null,
        file: null,
        accepted: null,
        budget: null,
        ...totals,
      },
    ],
  },
};

test('the most pressing line comes first, and every line leads to its item', () => {
  const told = homeSections(busy).map(({ title, lines }) => [title, lines.map(({ hash }) => hash)]);
  expect(told).toEqual([
    ['Failed', ['#/run/U2']],
    ['Waits for your answer', ['#/gate/3/4', '#/inbox/reply/5/6/ana/2']],
    ['Ended', ['#/run/U1']],
    ['Goes on by itself', ['#/run/7']],
    ['Cost by run', ['#/run/1']],
  ]);
});

test('the first of many questions are listed, and all are counted', () => {
  const [decision] = busy.decisions;
  const decisions = Array.from({ length: 30 }, (_, gateId) => ({ ...decision, gateId }));
  const needs = homeSections({ ...busy, decisions } as Home).find(
    ({ title }) => title === 'Waits for your answer',
  );
  expect(needs?.count).toBe(31);
  expect(needs?.lines).toHaveLength(MOST_NEEDS);
});

test('a cost that was not reported is said so, and never as zero', () => {
  const cost = homeSections(busy).find(({ title }) => title === 'Cost by run')?.lines[0];
  expect(cost?.title).toBe('Run 1: not reported');
  const facts = homeFacts(busy).map(({ text }) => text);
  expect(facts).toContain('Cost not reported');
  expect(JSON.stringify([...homeSections(busy), ...facts])).not.toContain('$0');
});

test('a quiet night has no sections, and its counts are still shown', () => {
  expect(homeSections(quiet)).toEqual([]);
  expect(homeFacts(quiet).map(({ text }) => text)).toEqual([
    ...['0 runs failed', '0 other runs ended', '0 need you', '0 runs running', '0 unread updates', 'No cost'],
  ]);
});
