import type { RunEvent } from '@contract/run/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';
import { activation, gate, runEnd, session, started, Teller } from '../testing/story';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => place.remove());

const rule = (id: string, more: object = {}) => ({
  id,
  agent: '*' as const,
  tool: 'edit',
  path: 'src/**',
  command: null,
  effect: 'allow' as const,
  reason: '',
  expires_at: null,
  scope: 'everywhere' as const,
  run_id: null,
  project_id: null,
  created_at: 5,
  created_by: 'operator',
  ...more,
});
const unused = { removed_at: null, uses: 0, last_used_at: null };

const request = { tool: 'edit', title: 'Edit a', kind: 'edit', diffs: [], hash: 'h' };
const asked = (gateId: number): RunEvent => ({
  ...(gate(gateId) as Extract<RunEvent, { type: 'gate.opened' }>),
  kind: 'permission',
  sessionId: 1,
  title: `Edit ${gateId}`,
  request,
});
const answered = (gateId: number, by: string): RunEvent => ({
  type: 'gate.resolved',
  gateId,
  answer: { option: 'allow' },
  by,
});

async function run(uid: string, ...events: RunEvent[]): Promise<number> {
  const teller = new Teller(store, 1_000);
  must(await teller.tell(started({ uid, projectId }), activation(1, 'write'), session(1, 1), ...events));
  return teller.runId;
}

test('a rule is kept as it was written, listed newest first, and there after a restart', () => {
  store.addRule(rule('A'));
  store.addRule(rule('B', { created_at: 6, command: 'npm test', path: null }));
  expect(store.rules({ removed: false })).toEqual([
    { ...rule('B', { created_at: 6, command: 'npm test', path: null }), ...unused },
    { ...rule('A'), ...unused },
  ]);
  store.close();
  store = place.open();
  expect(store.rule('A')).toEqual({ ...rule('A'), ...unused });
  expect(store.rule('C')).toBeNull();
});

test('a removed rule is not listed, and can be requested and brought back', () => {
  store.addRule(rule('A'));
  const change = { expires_at: 9, reason: 'because', removed_at: 7 };
  store.changeRule('A', change);
  expect(store.rules({ removed: false })).toEqual([]);
  expect(store.rules({ removed: true })).toEqual([{ ...rule('A'), ...unused, ...change }]);
  expect(store.rules({ removed: false, ids: ['A', 'none'] })).toHaveLength(1);
  store.changeRule('A', { ...change, removed_at: null });
  expect(store.rules({ removed: false })).toHaveLength(1);
});

test('the uses of a rule are the gates that it answered', async () => {
  store.addRule(rule('A'));
  store.addRule(rule('B'));
  await run('one', asked(1), answered(1, 'rule A'), asked(2), answered(2, 'operator'));
  await run('two', asked(1), answered(1, 'rule A'));
  expect(store.rule('A')).toMatchObject({ uses: 2, last_used_at: 1_004 });
  expect(store.rule('B')).toMatchObject({ uses: 0, last_used_at: null });
});

test('past requests are the newest permission gates, with who asked and where', async () => {
  const ready: RunEvent = {
    type: 'session.ready',
    sessionId: 1,
    providerSessionId: null,
    agent: 'Writer',
    cwd: '/worktrees/one',
    capabilities: { resume: true, cancel: true, permissions: true, images: false, embeddedFiles: false },
    fresh: true,
    notice: null,
  };
  const one = await run('one', ready, gate(1), asked(2), answered(2, 'operator'));
  const two = await run('two', asked(1));
  await run('binned', asked(1), runEnd, { type: 'run.binned', by: 'operator' });
  const past = store.pastRequests(10);
  expect(past).toMatchObject([
    { runId: two, gateId: 1, workspaceRoot: '/projects/sample', ownCheckout: true, answer: null, by: null },
    { runId: one, gateId: 2, workspaceRoot: '/worktrees/one', ownCheckout: false, by: 'operator' },
  ]);
  expect(past[1]).toMatchObject({
    projectId,
    profileId: 'writer',
    agent: 'Writer',
    title: 'Edit 2',
    request,
    answer: { option: 'allow' },
  });
  expect(store.pastRequests(1)).toHaveLength(1);
});

test('a rule that is made with an answer is kept in the same commit, or not at all', async () => {
  const teller = new Teller(store, 1_000);
  must(
    await teller.tell(
      started({ uid: 'one', projectId }),
      activation(1, 'write'),
      session(1, 1),
      asked(1),
      asked(2),
    ),
  );
  const seq = teller.state.seq;
  const first = teller.next([answered(1, 'operator')]);
  const refused = await store.log.append({ ...first, expectedSeq: seq + 9, rule: rule('A') });
  expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(store.rule('A')).toBeNull();
  must(await store.log.append({ ...first, rule: rule('A') }));
  expect(store.rule('A')).toEqual({ ...rule('A'), ...unused });
  // If the rule cannot be written, its answer is not either.
  const second = { ...teller.next([answered(2, 'operator')]), rule: rule('A') };
  await expect(store.log.append(second)).rejects.toThrow();
  expect(store.gate(teller.runId, 2)?.status).toBe('open');
});
