import type { GatePage } from '@areas/gates/contract/pages';
import type { RunEvent } from '@contract/run/events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';
import {
  activation,
  activationEnd,
  gate,
  runEnd,
  session,
  started,
  Teller,
  turn,
  turnEnd,
  update,
} from '../testing/story';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

async function run(uid: string, ...events: RunEvent[]): Promise<Teller> {
  const teller = new Teller(store);
  must(await teller.tell(started({ uid, projectId, name: `The ${uid}` }), ...events));
  return teller;
}

const binned: RunEvent = { type: 'run.binned', by: 'operator' };

describe('runs', () => {
  const uids = (query: Partial<Parameters<Store['runs']>[0]>): string[] =>
    store.runs({ limit: 10, binned: false, ...query }).rows.map(({ uid }) => uid);

  test('a row of a run has what a list shows', async () => {
    const { runId } = await run(
      'alpha',
      activation(1, 'write'),
      session(1, 1),
      turn({ turnId: 1, prompt: 'Write.' }),
    );
    expect(store.run(runId)).toEqual({
      id: runId,
      uid: 'alpha',
      name: 'The alpha',
      workflowName: 'The alpha',
      instruction: '',
      agents: 'Writer',
      projectId,
      projectName: 'sample',
      status: 'running',
      outcome: null,
      reason: null,
      startedAt: 1_000,
      finishedAt: null,
      at: 1_003,
      steps: 2,
      stepsDone: 0,
      openGates: 0,
      now: 'Step write: Prompt',
      tokens: 0,
      costUsd: 0,
      binnedAt: null,
      bytes: null,
    });
    expect(store.runByUid('alpha')).toEqual(store.run(runId));
    expect([store.run(99), store.runByUid('none')]).toEqual([null, null]);
    expect([store.runByUidEnd('PHA'), store.runByUidEnd('phb')]).toEqual([store.run(runId), null]);
  });

  test('runs are listed newest first, page by page', async () => {
    for (const uid of ['one', 'two', 'three']) await run(uid);
    const first = store.runs({ limit: 2, binned: false });
    expect([first.rows.map(({ uid }) => uid), first.more]).toEqual([['three', 'two'], true]);
    const second = store.runs({ limit: 2, binned: false, before: first.rows[1]?.id });
    expect([second.rows.map(({ uid }) => uid), second.more]).toEqual([['one'], false]);
  });

  test('runs are filtered by status, by name, by uid and by project', async () => {
    await run('alpha', runEnd);
    await run('beta');
    await run('100%');
    expect(uids({ status: 'succeeded' })).toEqual(['alpha']);
    expect(uids({ search: 'BET' })).toEqual(['beta']);
    expect(uids({ search: 'alpha' })).toEqual(['alpha']);
    expect(uids({ search: '%' })).toEqual(['100%']);
    expect(uids({ search: 'sampl' })).toEqual(['100%', 'beta', 'alpha']);
    expect(uids({ search: '  ' })).toHaveLength(3);
  });

  test('a run is named and found by its instruction, and by the name that the operator gives it', async () => {
    await run('alpha');
    const instruction = 'Mend the lock of the store.\nIt is not freed.';
    const teller = new Teller(store);
    must(await teller.tell(started({ uid: 'beta', projectId, name: 'Fix', instruction })));
    expect(store.run(teller.runId)).toMatchObject({
      name: 'Mend the lock of the store.',
      workflowName: 'Fix',
      instruction,
    });
    expect([uids({ search: 'not FREED' }), uids({ search: 'fix' })]).toEqual([['beta'], ['beta']]);
    must(await teller.tell({ type: 'run.renamed', name: 'The leak', by: 'operator' }));
    expect([store.run(teller.runId)?.name, uids({ search: 'leak' })]).toEqual(['The leak', ['beta']]);
    must(await teller.tell({ type: 'run.renamed', name: null, by: 'operator' }));
    expect([store.run(teller.runId)?.name, uids({ search: 'leak' })]).toEqual([
      'Mend the lock of the store.',
      [],
    ]);
  });

  test('runs that go on, or still ask something, are listed', async () => {
    await run('over', runEnd);
    await run('at work');
    await run('asks', activation(1, 'write'), gate(1, 1), runEnd);
    expect(uids({ unfinished: true })).toEqual(['asks', 'at work']);
  });

  test('the bin lists only binned runs', async () => {
    const teller = await run('alpha', runEnd, binned);
    await run('beta');
    store.setRunBytes(teller.runId, 1234);
    expect([uids({}), uids({ binned: true })]).toEqual([['beta'], ['alpha']]);
    expect(store.run(teller.runId)).toMatchObject({ binnedAt: 1_002, bytes: 1234 });
    must(await teller.tell({ type: 'run.restored', by: 'operator' }));
    expect([uids({}), uids({ binned: true })]).toEqual([['beta', 'alpha'], []]);
  });

  test('the spend since a time is added up over the runs', async () => {
    await run(
      'alpha',
      activation(1, 'write'),
      session(1, 1),
      turn({ turnId: 1, prompt: 'a' }),
      turnEnd(1, 'b', 100),
      turn({ turnId: 2, prompt: 'a' }),
      turnEnd(2, 'b', null),
      turn({ turnId: 3, prompt: 'a' }),
      turnEnd(3, 'b', 20),
      turn({ turnId: 4, prompt: 'a' }),
      { type: 'turn.interrupted', turnId: 4, reason: 'crash', partial: '' },
    );
    const since = (from: number) => store.spendTotals({ from, before: null, projectId: null });
    const unreported = { tokensUnreported: 1, costUnreported: 1 };
    expect(since(0)).toEqual({ turns: 3, ms: 3, tokens: 120, costUsd: 0.5, ...unreported });
    expect(since(1_006)).toEqual({ turns: 2, ms: 2, tokens: 20, costUsd: 0.25, ...unreported });
    expect(since(2_000)).toMatchObject({ turns: 0, ms: null, tokens: null, costUsd: null });
    expect(store.run(1)).toMatchObject({ tokens: 120, costUsd: 0.5 });
  });
});

describe('gates', () => {
  test('a gate is shown with what was asked, by whom, and what was answered', async () => {
    const asked: RunEvent = { ...gate(1, 1), sessionId: 1 } as RunEvent;
    const teller = await run('alpha', activation(1, 'write'), session(1, 1), asked);
    const open = store.gates({ status: 'open', limit: 10 });
    expect(open).toEqual([
      {
        runId: teller.runId,
        runName: 'The alpha',
        projectName: expect.any(String),
        event: expect.any(Number),
        gateId: 1,
        kind: 'approval',
        status: 'open',
        stepId: 'write',
        stepTitle: 'Step write',
        agent: 'Writer',
        sessionId: 1,
        title: 'Approve the report',
        message: 'Is it good?',
        evidence: 'The report.',
        request: null,
        options: [{ id: 'approve', label: 'Approve', effect: 'The run goes on.', tone: 'approve' }],
        why: null,
        openedAt: 1_003,
        closedAt: null,
        answer: null,
        by: null,
        snoozedUntil: null,
        cause: expect.any(String),
      },
    ]);
    store.snooze(teller.runId, 1, 9_000);
    expect(store.gate(teller.runId, 1)?.snoozedUntil).toBe(9_000);
    const answer = { option: 'approve', reason: 'fine' };
    must(await teller.tell({ type: 'gate.resolved', gateId: 1, answer, by: 'operator' }));
    expect(store.gates({ status: 'open', limit: 10 })).toEqual([]);
    expect(store.gates({ status: 'closed', limit: 10 })).toEqual([
      { ...open[0], status: 'resolved', closedAt: 1_004, answer, by: 'operator' },
    ]);
    expect(store.gate(teller.runId, 2)).toBeNull();
  });

  test('open gates are listed longest waiting first, answered ones last answered first, and none of the bin', async () => {
    const teller = await run('alpha', gate(1, null), gate(2, null), gate(3, null), gate(4, null));
    await run('beta', gate(1, null), binned);
    must(await teller.tell({ type: 'gate.withdrawn', gateId: 2, reason: 'gone' }));
    must(await teller.tell({ type: 'gate.withdrawn', gateId: 1, reason: 'gone' }));
    const ids = (status: 'open' | 'closed'): number[] =>
      store.gates({ status, limit: 10 }).map(({ gateId }) => gateId);
    expect([ids('open'), ids('closed')]).toEqual([
      [3, 4],
      [1, 2],
    ]);
    expect(store.gates({ status: 'open', limit: 1 })).toHaveLength(1);
  });

  test('the list of gates is read page by page, and for one run alone', async () => {
    await run('alpha', gate(1, null), gate(2, null), gate(3, null));
    const beta = await run('beta', gate(1, null));
    const keys: string[] = [];
    for (let after: GatePage['after']; ; ) {
      const [row] = store.gates({ status: 'open', limit: 1, after });
      if (row === undefined) break;
      keys.push(`${row.runId}/${row.gateId}`);
      after = { at: row.openedAt, event: row.event ?? 0 };
    }
    const whole = store.gates({ status: 'open', limit: 10 });
    expect(keys).toEqual(whole.map((row) => `${row.runId}/${row.gateId}`));
    expect(keys).toHaveLength(4);
    expect(store.gates({ status: 'open', limit: 10, runId: beta.runId })).toHaveLength(1);
  });
});

describe('the feed', () => {
  const summaries = (query: Partial<Parameters<Store['feed']>[0]>): string[] =>
    store.feed({ limit: 10, ...query }).rows.map((row) => row.update.summary[0] ?? '');

  test('a row of the feed is an update with its origin', async () => {
    const teller = new Teller(store);
    const stored = must(await teller.tell(started({ uid: 'alpha', projectId }), update('Done.')));
    const id = stored[1]?.id ?? 0;
    const row = {
      id,
      runId: teller.runId,
      runName: 'sample',
      activationId: 1,
      turnId: null,
      stepId: 'write',
      at: 1_001,
      update: {
        iteration: 1,
        of: 1,
        retry: 0,
        story: { id: 'write', title: 'Step write' },
        storySource: 'step',
        result: 'completed',
        commit: null,
        summary: ['Done.'],
      },
      text: 'Iteration 1/1\nStory: write - Step write\nResult: completed\nCommit: none\nSummary: Done.',
    };
    expect(store.feed({ limit: 10 })).toEqual({ rows: [row], more: false });
    expect(store.updates([id, 999])).toEqual([row]);
  });

  test('the feed is listed newest first, page by page, by run and by result', async () => {
    const one = await run('one', update('a'), update('b', 'failed'), update('c'));
    await run('two', update('d', 'failed'));
    await run('three', update('e'), binned);
    expect(summaries({})).toEqual(['d', 'c', 'b', 'a']);
    const first = store.feed({ limit: 3 });
    expect(first.more).toBe(true);
    expect(summaries({ before: first.rows[2]?.id })).toEqual(['a']);
    expect(summaries({ runId: one.runId })).toEqual(['c', 'b', 'a']);
    expect(summaries({ result: 'failed' })).toEqual(['d', 'b']);
    expect(summaries({ runId: one.runId, result: 'failed' })).toEqual(['b']);
  });

  test('within one run a search needs no index', async () => {
    const { runId } = await run('one', update('The parser is done'), update('50% of the tests'));
    expect(summaries({ runId, search: 'PARS done' })).toEqual(['The parser is done']);
    expect(summaries({ runId, search: '50%' })).toEqual(['50% of the tests']);
    expect(summaries({ runId, search: '?!' })).toEqual([]);
  });
});

test('events after an id are read for all runs, or for one', async () => {
  const one = await run('one', activation(1, 'write'));
  const two = await run('two');
  must(await one.tell(activationEnd(1)));
  const ids = (query: { afterId: number; limit: number; runId?: number }): number[] =>
    store.events(query).map(({ id }) => id);
  expect(ids({ afterId: 0, limit: 10 })).toEqual([1, 2, 3, 4]);
  expect(ids({ afterId: 1, limit: 2 })).toEqual([2, 3]);
  expect(ids({ afterId: 1, limit: 10, runId: one.runId })).toEqual([2, 4]);
  expect(ids({ afterId: 3, limit: 10, runId: two.runId })).toEqual([]);
});

test('a page of events ends by its bytes, and always has one event', async () => {
  const one = await run('one');
  const { runId } = one;
  must(await one.tell(activation(1, 'a'), activation(2, 'b'), activation(3, 'c')));
  const ids = (query: { afterId: number; bytes: number; runId?: number }): number[] =>
    store.events({ limit: 10, ...query }).map(({ id }) => id);
  expect(ids({ afterId: 1, bytes: 1 })).toEqual([2]);
  expect(ids({ afterId: 2, bytes: 1, runId })).toEqual([3]);
  expect(ids({ afterId: 1, bytes: 100 })).toEqual([2, 3]);
  expect(ids({ afterId: 1, bytes: 5_000, runId })).toEqual([2, 3, 4]);
});

describe('projects, profiles and settings', () => {
  test('a project that is added again keeps its number', async () => {
    await run('alpha');
    expect(store.projects()).toEqual([
      { id: projectId, path: '/projects/sample', name: 'sample', addedAt: 1, trouble: null },
    ]);
    store.removeProject(projectId);
    expect([store.projects(), store.project(projectId)]).toEqual([[], null]);
    expect(store.run(1)?.projectName).toBe('sample');
    expect(store.addProject('/projects/sample', 'again', 5)).toMatchObject({
      id: projectId,
      name: 'again',
      addedAt: 5,
    });
    expect(store.addProject('/projects/sample', 'again', 9).addedAt).toBe(5);
  });

  test('a profile is saved, replaced and removed', () => {
    const profile = started({ uid: 'x', projectId }).profiles.writer;
    if (profile === undefined) throw new Error('no profile');
    store.saveProfile(profile, 1);
    store.saveProfile({ ...profile, name: 'Scribe' }, 2);
    expect(store.profiles()).toEqual([{ ...profile, name: 'Scribe' }]);
    store.removeProfile('writer');
    expect(store.profiles()).toEqual([]);
  });

  test('a setting is saved, replaced and removed', () => {
    expect(store.setting('theme')).toBeUndefined();
    store.setSetting('theme', { dark: true });
    store.setSetting('theme', { dark: false });
    expect(store.setting('theme')).toEqual({ dark: false });
  });
});

test('the size of the database counts what is not yet in the main file', async () => {
  const before = store.databaseBytes();
  await run('alpha', turn({ turnId: 1, prompt: 'p'.repeat(50_000) }));
  expect(store.databaseBytes()).toBeGreaterThan(before + 50_000);
});
