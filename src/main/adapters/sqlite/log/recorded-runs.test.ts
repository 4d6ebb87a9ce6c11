import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ownValue } from '@contract/own';
import { ok } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { GateState, RunState } from '@contract/run/state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Harness } from '../../../core/engine/testing/harness';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';

/**
 * A database as a power failure leaves it: runs of every kind, with open gates, active timers and turns in
 * flight. `node e2e/histories/run.mjs --database FILE` records it.
 */
const recorded = join(import.meta.dirname, 'fixtures', 'runs-of-every-kind.db.gz');

let place: Place;
let store: Store;
let harness: Harness;
beforeEach(() => {
  place = new Place();
  writeFileSync(place.path, gunzipSync(readFileSync(recorded)));
  store = place.open();
  harness = new Harness(undefined, store.log);
  harness.agents.answer = () => ({ response: '<task-result status="completed">Done.</task-result>' });
});
afterEach(() => place.remove());

function stateOf(runId: number): RunState {
  const state = replay(store.log.read(runId));
  if (state === null) throw new Error(`run ${runId} is gone`);
  return state;
}

const open = ({ gates }: RunState): GateState[] =>
  Object.values(gates).filter(({ status }) => status === 'open');

async function takeUp(): Promise<readonly number[]> {
  const runIds = store.log.unfinished();
  const last = Math.max(...runIds.map((id) => stateOf(id).at));
  harness.clock.time = last + 1_000;
  expect(await harness.engine.recover()).toEqual([]);
  await harness.idle();
  return runIds;
}

/** Questions caused by the power failure: about interrupted turns, and a loop whose files are gone. */
const NEW_QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  permission: ['interrupted_turn'],
  'task-in-flight': ['interrupted_turn'],
  'parallel-in-flight': ['interrupted_turn'],
  'team-that-waits': ['interrupted_turn'],
  'team-out-of-time': ['interrupted_turn'],
  'team-stalled': ['interrupted_turn'],
  'loop-in-flight': ['iteration_failed'],
};

test('recorded runs go on, and nothing is asked or set a second time', async () => {
  const before = new Map(store.log.unfinished().map((id) => [id, stateOf(id)]));
  expect(before.size).toBe(14);
  for (const runId of await takeUp()) {
    const [then, now] = [before.get(runId), stateOf(runId)];
    if (then === undefined) throw new Error(`run ${runId} was not there`);
    const asked = Object.values(now.gates).filter(({ id }) => id > then.last.gate);
    expect(asked.map(({ kind }) => kind)).toEqual(ownValue(NEW_QUESTIONS, now.name) ?? []);
    expect(now.last.timer, `a timer of ${now.name} was set again`).toBe(then.last.timer);
    // Questions about an interrupted turn are withdrawn; all others stay.
    const kept = open(then).filter(({ about }) => !/team\.(takes-long|stalled)/.test(about ?? ''));
    expect(open(now)).toEqual(expect.arrayContaining(kept));
  }
});

const CHOICES = ['merge', 'approve', 'allow', 'leave', 'end', 'stop', 'resend', 'accept', 'continue'];

/** Answers everything, ends team members that do not end by themselves, and lets all timers fire. */
async function finish(runId: number): Promise<void> {
  for (let round = 0; round < 20 && stateOf(runId).status !== 'finished'; round += 1) {
    const state = stateOf(runId);
    const answers = open(state).map(({ id: gateId, options }): RunEvent => {
      const option =
        CHOICES.find((choice) => options.some(({ id }) => id === choice)) ?? options[0]?.id ?? '';
      return { type: 'gate.resolved', gateId, answer: { option, reason: 'enough' }, by: 'operator' };
    });
    for (const answer of answers) must(await harness.engine.command(runId, () => ok([answer])));
    await harness.idle();
    const { teams } = stateOf(runId);
    const waiting = Object.values(teams).flatMap(({ activationId, members }) =>
      Object.values(members).flatMap(
        ({ name: member, stopped, failed, merged, stopping, freezing }): RunEvent[] =>
          stopped || failed || merged || stopping || freezing
            ? []
            : [{ type: 'team.stopping', activationId, member, by: 'operator', force: true }],
      ),
    );
    if (answers.length === 0 && waiting.length > 0)
      must(await harness.engine.command(runId, () => ok(waiting)));
    harness.clock.advance(2 * 86_400_000);
    await harness.idle();
  }
}

test('every recorded run can be brought to its end', async () => {
  for (const runId of await takeUp()) await finish(runId);
  const ends = [...Array(17).keys()].map((index) => {
    const { name, status, outcome } = stateOf(index + 1);
    return `${name}: ${outcome ?? status}`;
  });
  expect(ends).toEqual([
    'succeeded: succeeded',
    'failed: failed',
    'approval: succeeded',
    'permission: succeeded',
    'limit: succeeded',
    'task-in-flight: succeeded',
    'review: succeeded',
    'parallel-in-flight: succeeded',
    'team-that-waits: succeeded',
    'team-out-of-time: succeeded',
    'team-stalled: succeeded',
    'team-at-rest: succeeded',
    'team-merges: succeeded',
    'loop-blocked: cancelled',
    'loop-failed-twice: failed',
    'loop-in-flight: failed',
    'cancelled: cancelled',
  ]);
  expect(store.log.unfinished()).toEqual([]);
});
