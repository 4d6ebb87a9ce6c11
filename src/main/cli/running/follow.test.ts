import { ok } from '@contract/result';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import { double } from '@contract/testing/double';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeCore } from '../../api/testing/fake-core';
import type { Context } from '../command';
import { FakeLink } from '../testing/fake-link';
import { answered, finished, gate, started, tick, working } from '../testing/story';
import { type Follow, followRun } from './follow';

interface EventsInput {
  readonly runId: number;
  readonly afterSeq: number;
  readonly limit: number;
}

function coreWithRun(events: readonly RunEvent[] = [started, working]) {
  const core: FakeCore = new FakeCore(
    {
      'run.events': ({ runId, afterSeq, limit }: EventsInput) =>
        core.log.filter((row) => row.runId === runId && row.seq > afterSeq).slice(0, limit),
    },
    () => new Promise((resolve) => setImmediate(() => resolve())),
  );
  core.commit(1, events);
  /** As in the core: followers are notified after the commit. */
  const happen = (...more: RunEvent[]): void => {
    core.push({ topic: 'run', runId: 1, events: core.commit(1, more) });
  };
  return { core, happen };
}

function watch(core: FakeCore, more: Partial<Follow> = {}, next: () => FakeLink = () => new FakeLink(core)) {
  const told: StoredEvent[] = [];
  const stop = new AbortController();
  const notes: string[] = [];
  const context = double<Context>({
    stop: stop.signal,
    out: { note: (text: string) => notes.push(text) },
    open: async () => ok(next()),
  });
  const link = new FakeLink(core);
  const tell = (stored: StoredEvent): void => void told.push(stored);
  const left = followRun(context, { link, runId: 1, throughGates: false, afterSeq: 0, tell, ...more });
  return { told, stop, notes, link, left };
}

const ticks = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
};

test('following prints each event once and in order, however they come and however often the core is lost', async () => {
  const step = fc.record({ count: fc.integer({ min: 1, max: 3 }), pause: fc.nat(4), lose: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { core, happen } = coreWithRun();
      const links: FakeLink[] = [];
      const next = (): FakeLink => {
        const link = new FakeLink(core);
        links.push(link);
        return link;
      };
      const { told, left, link } = watch(core, {}, next);
      links.push(link);
      let number = 0;
      for (const { count, pause, lose } of steps) {
        await ticks(pause);
        if (lose) links.at(-1)?.lose();
        happen(...Array.from({ length: count }, () => tick(number++)));
      }
      happen(...finished('succeeded'));
      expect(await left).toMatchObject({ ok: true, value: { status: 'succeeded', stopped: false } });
      expect(told.map(({ seq }) => seq)).toEqual(core.log.map(({ seq }) => seq));
      await ticks(5);
      expect(core.listening).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('more events than a page holds are all printed', async () => {
  const { core } = coreWithRun([
    started,
    working,
    ...Array.from({ length: 1200 }, (_, number) => tick(number)),
    ...finished('failed'),
  ]);
  const { told, left } = watch(core, { afterSeq: 1000 });
  expect(await left).toMatchObject({ value: { status: 'failed' } });
  expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: 204 }, (_, index) => 1001 + index));
});

test('a gate ends the following of a run, or is waited through', async () => {
  const { core } = coreWithRun([started, working, gate]);
  expect(await watch(core).left).toMatchObject({ value: { status: 'waiting', stopped: false, asks: true } });
  const { core: other, happen } = coreWithRun([started, working, gate]);
  const through = watch(other, { throughGates: true });
  await ticks(10);
  happen(answered, ...finished('succeeded'));
  expect(await through.left).toMatchObject({ value: { status: 'succeeded' } });
});

test('a loop that failed twice has failed, also where gates are waited through', async () => {
  const { core } = coreWithRun([started, working, { ...gate, kind: 'iteration_failed' } as RunEvent]);
  for (const throughGates of [false, true])
    expect(await watch(core, { throughGates }).left).toMatchObject({
      value: { status: 'failed', stopped: false, asks: true },
    });
});

test('a team that has come to rest has ended the following, though nothing is asked', async () => {
  const member = { name: 'ada', profileId: 'fake', model: null, prompt: 'x', iterative: false };
  const how = { readOnly: false, worktree: false, planApproval: false, idleMinutes: null };
  const { core } = coreWithRun([
    started,
    working,
    { type: 'team.member-added', activationId: 1, member: { ...member, ...how }, by: 'operator' },
  ]);
  expect(await watch(core).left).toMatchObject({ value: { status: 'waiting', asks: false } });
});

test('the operator can stop the following, and the run is left as it is', async () => {
  const { core } = coreWithRun();
  const { left, stop } = watch(core);
  await ticks(5);
  stop.abort();
  expect(await left).toMatchObject({ value: { status: 'running', stopped: true } });
  expect(core.listening).toBe(0);
});

test('a core that is lost is replaced, and the next one takes the run up', async () => {
  const { core, happen } = coreWithRun();
  const second = new FakeLink(core, 'hosted');
  const { left, link, notes } = watch(core, {}, () => second);
  await ticks(5);
  link.lose();
  await ticks(5);
  happen(...finished('succeeded'));
  expect(await left).toMatchObject({ value: { link: second } });
  expect(second.takenUp).toEqual([[1]]);
  expect(notes).toEqual(['The core of this run has stopped; looking for another one.']);
});
