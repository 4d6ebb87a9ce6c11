import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { RunRow, RunSnapshot } from '@contract/run/procedures';
import { replay } from '@contract/run/reduce';
import { runStarted, storedEvents, workflow } from '@contract/run/testing/events';
import { describe, expect, test } from 'vitest';
import { Replica, type ReplicaView } from './replica';

/** A run that starts one activation after another. */
const history = storedEvents([
  runStarted({ definition: workflow([{ id: 'a' }]) }),
  ...Array.from({ length: 9 }, (_, index) => ({
    type: 'activation.started' as const,
    activationId: index + 1,
    stepId: 'a',
    attempt: index + 1,
    inputs: [],
  })),
]);

const row = { id: 1, name: 'run' } as RunRow;

function snapshot(seq: number): Result<RunSnapshot> {
  const state = replay(history.slice(0, seq));
  if (state === null) throw new Error('an empty history');
  return ok({ row, state });
}

function replicaOf(answers: Result<RunSnapshot>[]) {
  const views: ReplicaView[] = [];
  const asked = { times: 0 };
  const replica = new Replica(
    async () => {
      asked.times += 1;
      return answers.shift() ?? snapshot(10);
    },
    (view) => views.push(view),
  );
  const seq = () => views.at(-1)?.state?.seq;
  return { replica, asked, seq, view: () => views.at(-1) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a replica', () => {
  test('a replica goes on from its snapshot, event by event', async () => {
    const { replica, seq, asked, view } = replicaOf([snapshot(3)]);
    await replica.read();
    replica.receive(history.slice(3, 5));
    expect(seq()).toBe(5);
    expect(Object.keys(view()?.state?.activations ?? {})).toHaveLength(4);
    expect(asked.times).toBe(1);
  });

  test('a replica that is to read again while it reads shows the newer snapshot only', async () => {
    const { replica, seq, asked } = replicaOf([snapshot(3), snapshot(7)]);
    await Promise.all([replica.read(), replica.read()]);
    expect([seq(), asked.times]).toEqual([7, 2]);
  });

  test('a replica passes over known events', async () => {
    const { replica, seq } = replicaOf([snapshot(5)]);
    await replica.read();
    replica.receive(history.slice(1, 6));
    expect(seq()).toBe(6);
  });

  test('a replica keeps events that come while it reads', async () => {
    const { replica, seq } = replicaOf([snapshot(3)]);
    const reading = replica.read();
    replica.receive(history.slice(3, 6));
    await reading;
    expect(seq()).toBe(6);
  });

  test('a replica reads again where events are missing, and applies the kept ones', async () => {
    const { replica, seq, asked } = replicaOf([snapshot(2), snapshot(6)]);
    await replica.read();
    replica.receive(history.slice(6, 8));
    await settled();
    expect(asked.times).toBe(2);
    expect(seq()).toBe(8);
  });

  test('a replica gives up after some reads and says which events are missing', async () => {
    const old = Array.from({ length: 8 }, () => snapshot(2));
    const { replica, view, asked } = replicaOf(old);
    await replica.read();
    replica.receive(history.slice(8, 9));
    await settled();
    expect(asked.times).toBeLessThanOrEqual(6);
    expect(view()?.status).toBe('failed');
    expect(view()?.error?.message).toContain('Events 3 to 8');
  });

  test('a replica stays at the last event that can be read, without complaint', async () => {
    const cut = snapshot(2);
    const unreadable = { seq: 3, why: 'not known' };
    const upToThere = () => (cut.ok ? ok({ ...cut.value, row: { ...row, unreadable } }) : cut);
    const { replica, view } = replicaOf(Array.from({ length: 8 }, upToThere));
    await replica.read();
    replica.receive(history.slice(3, 4));
    await settled();
    expect(view()).toMatchObject({ status: 'ready', error: null, state: { seq: 2 }, row: { unreadable } });
  });

  test('a replica shows why it could not be read, and its last state', async () => {
    const { replica, view } = replicaOf([snapshot(4), err(appError('unavailable', 'the core is away'))]);
    await replica.read();
    await replica.read();
    expect(view()).toMatchObject({
      status: 'failed',
      error: { message: 'the core is away' },
      state: { seq: 4 },
    });
  });
});
