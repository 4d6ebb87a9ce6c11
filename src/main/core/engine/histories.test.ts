import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunEvent, type RunEventOf, storedEventSchema } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { summaryLines } from '@contract/update/summary';
import { formatUpdate } from '@contract/update/update';
import { stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { decide } from './decide';
import { makePlan, type Plan } from './plan/plan';
import { react } from './react';
import { Schedule } from './schedule/schedule';

/** Runs of the app as it was when they were recorded, exported as its users export them. */
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

/** What comes from outside and cannot be decided: how effects ended, and what the operator did. */
const OUTSIDE =
  /^(run\.(started|workspace-ready|workspace-failed|cancel-requested|resumed|reopened|released)|workspace\.(ready|failed)|activation\.adopted|session\.(ready|failed|lost|reattached)|turn\.(finished|interrupted)|command\.(finished|interrupted)|capture\.(finished|failed)|prompt\.queued|gate\.(resolved|delivered)|timer\.fired|loop\.(plan-read|plan-refused|attempt-prepared|attempt-refused|attempt-examined)|team\.(released|merge-rehearsed|merged|merge-failed|task-.*|message-edited|message-withdrawn)|rlm\.(documents-frozen|documents-refused|sandbox-started|sandbox-refused|calls-asked|call-answered|block-finished|block-lost|variables-lost|variable-read|citations-checked|verification-finished|interrupt-requested|writing-held|writing-resumed))$/;

/** What the operator, or an agent by a tool, may do as well as what follows by itself. */
const BY_HAND =
  /^(session\.parked|prompt\.withdrawn|gate\.withdrawn|turn\.cancel-requested|lane\.restored|team\.(message|member-added|stopping|plan|merge-requested|merge-confirmed|merge-declined|seen|cleaned-up))$/;

const comesFromOutside = (event: RunEvent, state: RunState): boolean =>
  OUTSIDE.test(event.type) ||
  (event.type === 'gate.opened' && event.kind === 'permission') ||
  (event.type === 'team.stopped' &&
    state.teams[event.activationId]?.members[event.member]?.freezing?.reason !== undefined);

type Opened = RunEventOf<'gate.opened'>;

/** A gate in the words of then, which did not say either what its evidence is, or which changes it is about. */
function askedFormerly(decided: Opened, recorded: Opened): Opened {
  const { evidence_parts: parts = [], changes: __, ...asked } = decided;
  // A review was one text with its findings at the end.
  const evidence =
    parts.some(({ kind }) => kind === 'findings') || parts.length > 1 ? recorded.evidence : asked.evidence;
  const options = asked.options.map(({ needs: ___, mild: ____, ...option }) => {
    const then = recorded.options.find(({ id }) => id === option.id);
    return { ...option, label: then?.label ?? option.label, effect: then?.effect ?? option.effect };
  });
  return { ...asked, options, evidence, message: recorded.message };
}

/** Not every step said once what its outputs are. What was said is compared. */
function kindsAsRecorded(decided: RunEvent | undefined, recorded: RunEvent): RunEvent | undefined {
  if (decided?.type !== 'activation.finished' || recorded.type !== 'activation.finished') return decided;
  const outputs = Object.entries(decided.outputs).map(([port, { kind, ...bundle }]) => {
    const isSaid = recorded.outputs[port]?.kind !== undefined;
    return [port, { ...bundle, ...(isSaid && { kind }) }];
  });
  return { ...decided, outputs: Object.fromEntries(outputs) };
}

/** A step of a scope was called `each[2]/make` then. */
const titlesAsRecorded = (decided: RunEvent | undefined): RunEvent | undefined =>
  decided &&
  (JSON.parse(
    JSON.stringify(decided)
      .replace(/ (\d+) › /g, '[$1]/')
      .replace(/ \(attempt (\d+)\) › /g, '#$1/')
      .replace(/ › /g, '/'),
  ) as RunEvent);

/** Before what a member leaves was kept when it stops, it stopped at once, with what its turns had left. */
function formerly(decided: RunEvent | undefined, recorded: RunEvent): RunEvent | undefined {
  if (decided?.type === 'gate.opened' && recorded.type === 'gate.opened')
    return askedFormerly(decided, recorded);
  if (decided?.type !== 'team.freezing' || recorded.type !== 'team.stopped') return decided;
  const { frozen } = recorded;
  return { ...decided, type: 'team.stopped', frozen };
}

/**
 * An event as it would be worded today. Behind a prompt the naming instruction stood after a blank line. An update is
 * made once, when it is posted: an old one keeps the marks of Markdown that are taken off since, knows no retry, and
 * says of a turn that was stopped only how it ended. The metadata of a task's receipt had no number of re-prompts.
 */
function worded(event: RunEvent, state: RunState): RunEvent {
  const { turns, teams } = state;
  if (event.type === 'turn.dispatched')
    return {
      ...event,
      prompt: event.prompt.replace('\n\nWhen producing your final', '\nWhen producing your final'),
    };
  if (event.type === 'activation.finished') return withCount(event, state);
  if (event.type !== 'update.posted') return event;
  expect(event.text).toBe(formatUpdate(event.update));
  const told = summaryLines(event.update.summary.join('\n'), state.rules ?? 1);
  const said = summaryLines(turns[event.turnId ?? 0]?.response ?? '', state.rules ?? 1);
  const stopped = ['The attempt was stopped.', ...said.slice(0, 1)].join(' ');
  const summary = told[0] === 'ended with cancelled' ? [stopped, ...said.slice(1)] : told;
  let { retry } = event.update;
  const isStep = event.update.story?.id === event.stepId;
  for (let id = turns[event.turnId ?? 0]?.resendOf; isStep && id != null; id = turns[id]?.resendOf)
    retry += 1;
  const rounds = teams[event.activationId]?.members[event.update.story?.id ?? '']?.rounds ?? [];
  for (const { turnIds } of rounds) {
    const before = turnIds.slice(0, Math.max(0, turnIds.indexOf(event.turnId ?? 0)));
    retry += before.filter((id) => !['completed', 'interrupted'].includes(turns[id]?.status ?? '')).length;
  }
  const update = { ...event.update, summary, retry };
  return { ...event, update, text: formatUpdate(update) };
}

function withCount(event: RunEventOf<'activation.finished'>, state: RunState): RunEvent {
  const { stepId } = state.activations[event.activationId] ?? {};
  const step = state.definition.steps.find(({ id }) => id === stepId);
  const { receipt_out: told } = event.outputs;
  if (step?.type !== 'step.agent_task' || told === undefined) return event;
  const count = event.receipt.re_prompt_count;
  const receipt_out = { ...told, metadata: { ...told.metadata, re_prompt_count: count ?? null } };
  return { ...event, outputs: { ...event.outputs, receipt_out } };
}

/** Recorded before the third rules, when some events were worded differently. */
const isOld = ({ rules }: RunState): boolean => rules === undefined || rules < 3;

describe.each(readdirSync(folder).filter((name) => name.endsWith('.jsonl')))('recorded run %s', (name) => {
  const events = read(name);

  test('still parses and folds to a finished run', () => {
    const state = replay(events);
    expect(state?.status).toBe('finished');
    const told = Object.values(state?.activations ?? {}).map((a) => `${a.stepId}#${a.attempt} ${a.outcome}`);
    expect({ outcome: state?.outcome, told, spend: state?.spend }).toMatchSnapshot();
  });

  test('is decided again exactly as it was: each decided event follows from the events before it', () => {
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
      // Of what was committed together nothing is left out and nothing comes between.
      if (decided.length > 0) {
        const now = titlesAsRecorded(kindsAsRecorded(decided[0], event));
        expect(isOld(state) ? formerly(now, event) : now, `seq ${stored.seq}`).toEqual(
          isOld(state) ? worded(event, state) : event,
        );
      }
      decided = decided.slice(1);
      state = reduce(state, stored);
      schedule.follow(event);
      // What an event brings about is committed with it.
      const next = rest[rest.indexOf(stored) + 1]?.event.type;
      // Of one that was cut off nothing was told once.
      const isUntold = event.type === 'turn.interrupted' && next !== 'update.posted';
      if (!isUntold) decided = [...react(plan, state, event), ...decided];
      const places = (of: Schedule) => of.places.map(({ place }) => place);
      expect(places(schedule), `seq ${stored.seq}`).toEqual(places(new Schedule(plan, state)));
    }
    expect(decided).toEqual([]);
  });
});
