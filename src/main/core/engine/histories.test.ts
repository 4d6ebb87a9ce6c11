import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunEvent, storedEventSchema } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { features, stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { decide } from './decide';
import { withRequester } from './permissions/with-requester';
import { makePlan, type Plan } from './plan/plan';
import { react } from './react';
import { Schedule } from './schedule/schedule';
import { cutShort } from './turns/truncate-history';

/** Recorded runs, as users export them (`node e2e/histories/run.mjs`). */
const folder = join(import.meta.dirname, '__histories__');

const read = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => storedEventSchema.parse(JSON.parse(line)));

function planOf(state: RunState): Plan {
  const { plan, problems } = makePlan(state.definition, {
    registry: stepRegistry,
    profiles: state.profiles,
    defaultProfile: null,
    called: state.called ?? {},
  });
  if (plan === null) throw new Error(JSON.stringify(problems));
  return plan;
}

/** External events that cannot be decided: results of effects, and the operator's actions. */
const OUTSIDE =
  /^(run\.(started|workspace-ready|workspace-failed|cancel-requested|resumed|reopened|released)|workspace\.(ready|failed)|activation\.adopted|session\.(ready|failed|lost|reattached)|turn\.(finished|interrupted)|command\.(finished|interrupted)|capture\.(finished|failed)|prompt\.queued|gate\.(resolved|delivered)|timer\.fired|loop\.(plan-read|plan-refused|attempt-prepared|attempt-examined)|team\.(released|merge-rehearsed|merged|merge-failed|task-.*|message-edited|message-withdrawn)|rlm\.(documents-frozen|documents-refused|sandbox-started|sandbox-refused|calls-asked|call-answered|block-finished|block-lost|variables-lost|variable-read|citations-checked|verification-finished|interrupt-requested|writing-held))$/;

/** Events that may also be caused by the operator, or by an agent's tool. */
const BY_HAND =
  /^(session\.parked|prompt\.withdrawn|gate\.withdrawn|turn\.cancel-requested|lane\.restored|team\.(message|member-added|stopping|plan|merge-requested|merge-confirmed|merge-declined|seen|cleaned-up))$/;

const comesFromOutside = (event: RunEvent, state: RunState): boolean =>
  OUTSIDE.test(event.type) ||
  (event.type === 'gate.opened' && event.kind === 'permission') ||
  (event.type === 'team.stopped' &&
    state.teams[event.activationId]?.members[event.member]?.freezing?.reason !== undefined);

describe.each(readdirSync(folder).filter((name) => name.endsWith('.jsonl')))('recorded run %s', (name) => {
  const events = read(name);

  test('the recorded run still parses and folds to a finished run', () => {
    const state = replay(events);
    expect(state?.status).toBe('finished');
    const told = Object.values(state?.activations ?? {}).map((a) => `${a.stepId}#${a.attempt} ${a.outcome}`);
    expect({ outcome: state?.outcome, told, spend: state?.spend }).toMatchSnapshot();
  });

  test('the recorded run is decided again exactly as it was: each decided event follows from the events before it', () => {
    const [first, ...rest] = events;
    if (first === undefined) throw new Error('an empty history');
    let state = reduce(null, first);
    const plan = planOf(state);
    const schedule = new Schedule(plan, state);
    let decided: readonly RunEvent[] = [];
    for (const stored of rest) {
      const { event } = stored;
      if (decided.length === 0 && !comesFromOutside(event, state)) {
        decided = decide({ plan, state, schedule, now: stored.at });
        if (BY_HAND.test(event.type) && decided[0]?.type !== event.type) decided = [event];
        expect(decided, `seq ${stored.seq}: ${event.type}`).not.toEqual([]);
      }
      // Of events committed together, none is left out and none is inserted.
      const [next] = decided;
      if (next !== undefined) expect(withRequester(state, next), `seq ${stored.seq}`).toEqual(event);
      decided = decided.slice(1);
      state = reduce(state, stored);
      schedule.follow(event);
      // The consequences of an event are committed with it.
      decided = [...react(plan, state, event), ...decided];
      const places = (of: Schedule) => of.places.map(({ place }) => place);
      expect(places(schedule), `seq ${stored.seq}`).toEqual(places(new Schedule(plan, state)));
    }
    expect(decided).toEqual([]);
  });

  test('the recorded run that is cut short while effects are open ends, and none of them stays open', () => {
    const open = (state: RunState) => features.flatMap((feature) => [...feature.open(state)]);
    let state: RunState | null = null;
    for (const stored of events) {
      state = reduce(state, stored);
      if (open(state).length === 0) continue;
      const cut = structuredClone(state);
      cutShort(cut, { when: 'it was in flight', reason: 'cut short' });
      expect([cut.status, open(cut)], `seq ${stored.seq}`).toEqual(['finished', []]);
    }
  });
});
