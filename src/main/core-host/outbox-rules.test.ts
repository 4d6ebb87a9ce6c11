import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { afterEach, expect, test } from 'vitest';
import type { Sending, Undelivered } from '../core/ports/store/deliveries';
import { LAST_DELIVERIES_MS } from '../limits/core';
import { OutboxStage, PostedUpdates } from './testing/outbox-stage';

const DAY = 86_400_000;
let stage: OutboxStage | null = null;
afterEach(() => stage?.end());

type Trouble = Omit<Undelivered, 'error'>;

/** A stage whose targets fail as `trouble` says, and their results. */
async function stageWith(ids: readonly string[]) {
  const sent: Record<string, Sending[]> = {};
  const world: { trouble: Trouble | null } = { trouble: null };
  const made = new OutboxStage(ids, async (target, sending) => {
    sent[target.id] = [...(sent[target.id] ?? []), sending];
    if (world.trouble === null) return ok({ receipt: 'taken' });
    return err({ error: appError('unavailable', 'Away.'), ...world.trouble });
  });
  stage = made;
  await made.start();
  const rows = () => made.store.deliveries({ limit: 100 }).rows;
  return { stage: made, posted: new PostedUpdates(made), sent, world, rows };
}

test('the text of a delivery is that of the feed, with the run and a key of run, event and target', async () => {
  const { stage, posted, sent, rows } = await stageWith(['all']);
  const text = await posted.post(1);
  await stage.pass(100);
  expect(sent.all).toMatchObject([
    { text, key: 'muster:01RUN1:2:all', run: { uid: '01RUN1', name: 'run 1' }, sourceSessionKey: null },
  ]);
  expect(rows()).toMatchObject([{ state: 'delivered', attempts: 1, receipt: 'taken', error: null }]);
});

test('each filter lets through what it names', async () => {
  const { stage, posted, sent } = await stageWith(['all', 'bad', 'loops']);
  stage.targets = stage.targets.map((one) => (one.id === 'loops' ? { ...one, filter: 'loops' } : one));
  stage.outbox.settingsChanged();
  const done = await posted.post(1);
  const failed = await posted.post(1, 'failed');
  const blocked = await posted.post(2, 'blocked', 'prd');
  await stage.pass(100);
  const texts = (id: string) => (sent[id] ?? []).map(({ text }) => text);
  expect(texts('all')).toEqual([done, failed, blocked]);
  expect(texts('bad')).toEqual([failed, blocked]);
  expect(texts('loops')).toEqual([blocked]);
});

test('a target gets nothing from before it was named or while it is off', async () => {
  const { stage, posted, sent } = await stageWith(['all']);
  stage.targets = [{ id: 'all', enabled: false, filter: 'everything' }];
  stage.outbox.settingsChanged();
  await posted.post(1);
  await stage.pass(100);
  stage.targets = [{ id: 'all', enabled: true, filter: 'everything' }];
  stage.outbox.settingsChanged();
  const text = await posted.post(1);
  await stage.pass(100);
  expect(sent.all?.map((one) => one.text)).toEqual([text]);
});

test('a target that is away is asked once for all runs, and less and less often', async () => {
  const { stage, posted, sent, world } = await stageWith(['all']);
  world.trouble = { concerns: 'target', again: true, afterMs: null };
  const texts = [await posted.post(1), await posted.post(2), await posted.post(3)];
  await stage.pass(60_000);
  expect(sent.all?.length).toBe(6);
  world.trouble = null;
  await stage.pass(DAY, { until: () => stage.open() === 0 });
  expect(
    sent.all
      ?.slice(6)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(texts.sort());
});

test('an update that a target refuses permanently is given up at once, reported once, and tried again on request', async () => {
  const { stage, posted, sent, world, rows } = await stageWith(['all']);
  world.trouble = { concerns: 'update', again: false, afterMs: null };
  await posted.post(1);
  await stage.pass(100);
  expect(rows()).toMatchObject([{ state: 'given_up', attempts: 1, error: 'Away.' }]);
  expect(stage.notices).toHaveLength(1);
  world.trouble = null;
  const after = await posted.post(1);
  await stage.pass(100);
  expect(sent.all?.at(-1)?.text).toBe(after);
  expect(stage.outbox.retry({ target: 'all' })).toEqual({ ok: true, value: { count: 1 } });
  await stage.pass(100);
  expect(rows().map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  expect(sent.all?.[0]?.key).toBe(sent.all?.at(-1)?.key);
  expect(stage.outbox.retry({ target: 'all' })).toMatchObject({ ok: false });
});

test('a delivery is given up after the days of the settings, with a notice', async () => {
  const { stage, posted, world, rows } = await stageWith(['all']);
  stage.giveUpDays = 2;
  world.trouble = { concerns: 'target', again: true, afterMs: null };
  await posted.post(1);
  await stage.pass(2 * DAY - 3_600_000);
  expect(rows()).toMatchObject([{ state: 'failed' }]);
  await stage.pass(3 * 3_600_000);
  expect(rows()).toMatchObject([{ state: 'given_up' }]);
  expect(stage.notices).toEqual([
    expect.stringContaining('Updates do not reach all: Away.'),
    expect.stringContaining('could not be delivered to all'),
  ]);
});

test('a target that is away for long is reported once, and no more when it is there again', async () => {
  const { stage, posted, world } = await stageWith(['all']);
  world.trouble = { concerns: 'target', again: true, afterMs: null };
  await posted.post(1);
  await stage.pass(5 * 60_000);
  expect(stage.notices).toEqual([]);
  await stage.pass(DAY);
  expect(stage.notices).toEqual([expect.stringContaining('Updates do not reach all: Away.')]);
  expect(stage.takenBack).toEqual([]);
  world.trouble = null;
  await stage.pass(DAY, { until: () => stage.open() === 0 });
  expect(stage.takenBack).toEqual(['delivery-away-all']);
});

test('a failure that only the operator can repair is reported at once, and not for a target that is off', async () => {
  const { stage, posted, world } = await stageWith(['all']);
  world.trouble = { concerns: 'target', again: false, afterMs: null };
  await posted.post(1);
  await stage.pass(100);
  expect(stage.notices).toEqual([expect.stringContaining('Updates do not reach all: Away.')]);
  stage.targets = [{ id: 'all', enabled: false, filter: 'everything' }];
  stage.outbox.settingsChanged();
  expect(stage.takenBack).toEqual(['delivery-away-all']);
});

test('open deliveries to a removed target are given up, and the state of each target is reported', async () => {
  const { stage, posted, world, rows } = await stageWith(['all']);
  world.trouble = { concerns: 'target', again: true, afterMs: null };
  await posted.post(1);
  await stage.pass(100);
  expect(stage.outbox.states()).toMatchObject([
    { target: 'all', open: 1, givenUp: 0, lastDeliveredAt: null, trouble: { error: 'Away.', tries: 1 } },
  ]);
  stage.targets = [];
  stage.outbox.settingsChanged();
  await stage.pass(DAY);
  expect(rows()).toMatchObject([{ state: 'given_up', attempts: 1, error: 'The target was removed.' }]);
});

test('an imported history is not delivered', async () => {
  const { stage, posted, sent } = await stageWith(['all']);
  await posted.post(1);
  await stage.pass(100);
  const events = [...stage.store.log.read(1)].map((stored) =>
    stored.event.type === 'run.started' ? { ...stored, event: { ...stored.event, uid: '01OTHER' } } : stored,
  );
  expect(stage.store.importRun(events, 1)).toMatchObject({ ok: true });
  const text = await posted.post(1);
  await stage.pass(100);
  expect(sent.all?.map((one) => one.text).slice(1)).toEqual([text]);
});

test('A delivery that was being sent when the core died is queued again and keeps its key', async () => {
  const keys: string[] = [];
  const made = new OutboxStage(['all'], async (_target, { key }) => {
    keys.push(key);
    return keys.length === 1 ? new Promise(() => undefined) : ok({ receipt: 'taken' });
  });
  stage = made;
  const state = () => made.store.deliveries({ limit: 100 }).rows.map((row) => row.state);
  const enable = (enabled: boolean) => {
    made.targets = [{ id: 'all', enabled, filter: 'everything' }];
    made.outbox.settingsChanged();
  };
  await made.start();
  await new PostedUpdates(made).post(1);
  await made.pass(100);
  enable(false);
  expect(state()).toEqual(['sending']);
  await made.restart('crash');
  expect(state()).toEqual(['queued']);
  enable(true);
  await made.pass(100);
  expect(state()).toEqual(['delivered']);
  expect(keys).toEqual(['muster:01RUN1:2:all', 'muster:01RUN1:2:all']);
});

test('once the time of an ending core is over, no further delivery begins', async () => {
  const sent: string[] = [];
  const made = new OutboxStage(['all'], async (_target, { text }) => {
    sent.push(text);
    return sent.length === 1 ? new Promise(() => undefined) : ok({ receipt: 'taken' });
  });
  stage = made;
  await made.start();
  const posted = new PostedUpdates(made);
  await posted.post(1);
  await posted.post(2);
  await made.pass(100);
  expect(sent).toHaveLength(1);
  const stopped = made.outbox.stop();
  await made.pass(LAST_DELIVERIES_MS);
  await stopped;
  expect(sent).toHaveLength(1);
  expect(made.store.deliveries({ limit: 10 }).rows.map(({ state }) => state)).toEqual(['queued', 'queued']);
});
