import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summaryLines } from '@areas/feed/contract/summary';
import { formatUpdate } from '@areas/feed/contract/update';
import { type RunEvent, type RunEventOf, storedEventSchema } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';
import { stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { decide } from './decide';
import { makePlan, type Plan } from './plan/plan';
import { react } from './react';
import { Schedule } from './schedule/schedule';

/** Runs recorded with earlier versions of the app, as users export them. */
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
  /^(run\.(started|workspace-ready|workspace-failed|cancel-requested|resumed|reopened|released)|workspace\.(ready|failed)|activation\.adopted|session\.(ready|failed|lost|reattached)|turn\.(finished|interrupted)|command\.(finished|interrupted)|capture\.(finished|failed)|prompt\.queued|gate\.(resolved|delivered)|timer\.fired|loop\.(plan-read|plan-refused|attempt-prepared|attempt-refused|attempt-examined)|team\.(released|merge-rehearsed|merged|merge-failed|task-.*|message-edited|message-withdrawn)|rlm\.(documents-frozen|documents-refused|sandbox-started|sandbox-refused|calls-asked|call-answered|block-finished|block-lost|variables-lost|variable-read|citations-checked|verification-finished|interrupt-requested|writing-held|writing-resumed))$/;

/** Events that may also be caused by the operator, or by an agent's tool. */
const BY_HAND =
  /^(session\.parked|prompt\.withdrawn|gate\.withdrawn|turn\.cancel-requested|lane\.restored|team\.(message|member-added|stopping|plan|merge-requested|merge-confirmed|merge-declined|seen|cleaned-up))$/;

const comesFromOutside = (event: RunEvent, state: RunState): boolean =>
  OUTSIDE.test(event.type) ||
  (event.type === 'gate.opened' && event.kind === 'permission') ||
  (event.type === 'team.stopped' &&
    state.teams[event.activationId]?.members[event.member]?.freezing?.reason !== undefined);

type Opened = RunEventOf<'gate.opened'>;

/** A gate in the wording of that time, without kinds of evidence and without the changes it is about. */
function askedFormerly(decided: Opened, recorded: Opened): Opened {
  const { evidence_parts: parts = [], changes: __, ...asked } = decided;
  // A review was a single text with its findings at the end.
  const evidence =
    parts.some(({ kind }) => kind === 'findings') || parts.length > 1 ? recorded.evidence : asked.evidence;
  const options = asked.options.map(({ needs: ___, mild: ____, ...option }) => {
    const then = recorded.options.find(({ id }) => id === option.id);
    return { ...option, label: then?.label ?? option.label, effect: then?.effect ?? option.effect };
  });
  return { ...asked, options, evidence, message: recorded.message };
}

/** Not every step used to state the kinds of its outputs. Stated kinds are compared. */
function kindsAsRecorded(decided: RunEvent | undefined, recorded: RunEvent): RunEvent | undefined {
  if (decided?.type !== 'activation.finished' || recorded.type !== 'activation.finished') return decided;
  const outputs = Object.entries(decided.outputs).map(([port, { kind, ...bundle }]) => {
    const isSaid = recorded.outputs[port]?.kind !== undefined;
    return [port, { ...bundle, ...(isSaid && { kind }) }];
  });
  return { ...decided, outputs: Object.fromEntries(outputs) };
}

/** A step in a scope used to be called `each[2]/make`. */
const titlesAsRecorded = (decided: RunEvent | undefined): RunEvent | undefined =>
  decided &&
  (JSON.parse(
    JSON.stringify(decided)
      .replace(/ (\d+) › /g, '[$1]/')
      .replace(/ \(attempt (\d+)\) › /g, '#$1/')
      .replace(/ › /g, '/'),
  ) as RunEvent);

/** A member used to stop at once with the state after its turns, before the final capture existed. */
function formerly(decided: RunEvent | undefined, recorded: RunEvent): RunEvent | undefined {
  if (decided?.type === 'gate.opened' && recorded.type === 'gate.opened')
    return askedFormerly(decided, recorded);
  if (decided?.type !== 'team.freezing' || recorded.type !== 'team.stopped') return decided;
  const { frozen } = recorded;
  return { ...decided, type: 'team.stopped', frozen };
}

/**
 * An event in today's wording. The naming instruction used to follow a prompt after a blank line. Updates are
 * created once, when posted: old ones contain Markdown marks that are removed today, know no retry, and
 * describe a stopped turn only by how it ended. The metadata of a task's receipt had no number of re-prompts.
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
  const said = summaryLines(shownText(turns[event.turnId ?? 0]?.response ?? ''), state.rules ?? 1);
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

/** Evidence used to be titled by the key of its step. */
function titledByStep(event: RunEvent, state: RunState): RunEvent {
  if (event.type !== 'gate.opened' || event.evidence_parts === undefined) return event;
  const titled = ({ title, ...part }: (typeof event.evidence_parts)[number]) =>
    title === undefined ? part : { ...part, title: stepTitle(state, title) };
  return titlesAsRecorded({ ...event, evidence_parts: event.evidence_parts.map(titled) }) ?? event;
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

/** Recorded before the third rules, when some events had other wording. */
const isOld = ({ rules }: RunState): boolean => rules === undefined || rules < 3;

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
      if (decided.length > 0) {
        const now = titlesAsRecorded(kindsAsRecorded(decided[0], event));
        expect(isOld(state) ? formerly(now, event) : now, `seq ${stored.seq}`).toEqual(
          isOld(state) ? worded(event, state) : titledByStep(event, state),
        );
      }
      decided = decided.slice(1);
      state = reduce(state, stored);
      schedule.follow(event);
      // The consequences of an event are committed with it.
      const next = rest[rest.indexOf(stored) + 1]?.event.type;
      // An interrupted turn used to report nothing.
      const isUntold = event.type === 'turn.interrupted' && next !== 'update.posted';
      if (!isUntold) decided = [...react(plan, state, event), ...decided];
      const places = (of: Schedule) => of.places.map(({ place }) => place);
      expect(places(schedule), `seq ${stored.seq}`).toEqual(places(new Schedule(plan, state)));
    }
    expect(decided).toEqual([]);
  });
});
