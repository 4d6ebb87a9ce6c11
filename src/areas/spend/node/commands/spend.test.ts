import { FakeCore } from '@main/api/testing/fake-core';
import { EXIT } from '@main/cli/exit';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { row as run } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

const amounts = { turns: 2, ms: null, tokens: 30, costUsd: 0.5, tokensUnreported: 0, costUnreported: 1 };
const unknown = { turns: 1, ms: null, tokens: null, costUsd: null, tokensUnreported: 1, costUnreported: 1 };
const row = (label: string, more: object) => ({
  key: label,
  label,
  detail: null,
  runId: null,
  projectId: null,
  file: null,
  accepted: null,
  budget: null,
  ...more,
});
const home = {
  lookedAt: null,
  since: 1,
  now: 60_000,
  ended: [],
  more: false,
  replies: [],
  pulls: [],
  running: 1,
  unread: 0,
  failed: [{ ...run, id: 7, name: 'Night', status: 'failed', reason: 'no disk', finishedAt: 1 }],
  decisions: [{ runId: 4, gateId: 1, kind: 'approval', title: 'Publish?', runName: 'Notes', openedAt: 5 }],
  waits: [{ runId: 9, runName: 'Later', projectName: 'p', at: 300_000, what: 'the limit ends' }],
  needs: 2,
  spend: { totals: unknown, rows: [] },
};

async function program(line: string, totals: object = amounts) {
  const core = new FakeCore({
    'spend.list': () => ({
      rows: [row('Writer', amounts), row('=Sly', unknown)],
      more: false,
      pieces: null,
      totals,
    }),
    'home.get': () => home,
    'home.looked': () => ({ before: null }),
  });
  const { world, said } = fakeWorld(line.split(' '), new FakeLink(core));
  const code = await runProgram(world);
  return { code, calls: core.calls, ...said };
}

test('usage is a table in which an unreported cost is no number', async () => {
  const { code, out, calls } = await program('spend --by agent --days 7');
  expect(code).toBe(EXIT.ok);
  expect(out).toMatch(/Writer +2 +not known +30 +\$0\.5000 \+ 1 not reported/);
  expect(out).toMatch(/=Sly +1 +not known +not reported +not reported/);
  expect(calls).toContainEqual({ name: 'spend.list', input: expect.objectContaining({ by: 'agent' }) });
});

test('the table is printed as CSV and as JSON for programs, not as both', async () => {
  expect((await program('spend --by agent --csv')).out.split('\r\n').slice(0, 3)).toEqual([
    'agent,belongs_to,turns,milliseconds,tokens,tokens_not_reported,cost_usd,cost_not_reported,accepted,budget_usd,budget_tokens',
    'Writer,,2,,30,0,0.5,1,,,',
    "'=Sly,,1,,,1,,1,,,",
  ]);
  const document = JSON.parse((await program('spend --by agent --json')).out);
  expect(document).toMatchObject({ by: 'agent', rows: [{ label: 'Writer' }, { costUsd: null }] });
  expect((await program('spend --csv --json')).code).toBe(EXIT.usage);
});

test('a time without usage is reported in words', async () => {
  expect((await program('spend', { ...unknown, turns: 0 })).out).toBe('No turns in this period.\n');
});

test.each(['spend --by mood', 'spend --days 0', 'spend --limit x'])(
  'the command %s is refused',
  async (line) => {
    expect((await program(line)).code).toBe(EXIT.usage);
  },
);

test('home shows what failed, waits and cost, and sets the mark only on request', async () => {
  const { out, calls } = await program('home');
  expect(out).toContain('Since the last day: 1 run running, 2 waiting for you, cost: not reported.');
  for (const words of ['Failed', 'no disk', '4/1', 'Publish?', 'the limit ends', 'goes on in 4 min'])
    expect(out).toContain(words);
  expect(calls.map(({ name }) => name)).not.toContain('home.looked');
  const marked = await program('home --looked');
  expect(marked.calls).toContainEqual({ name: 'home.looked', input: { at: 60_000 } });
});
