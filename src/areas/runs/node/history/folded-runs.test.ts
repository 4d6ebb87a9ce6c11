import type { RunEvent } from '@contract/run/events';
import { atFirstLook } from '@contract/run/features/feature-answers';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { SNAPSHOT_MESSAGES, threadPage } from '@features/team/contract/messages/thread';
import { teamRow } from '@features/team/contract/summary';
import { must, Place } from '@main/adapters/sqlite/testing/place';
import { activationEnd, started, Teller } from '@main/adapters/sqlite/testing/story';
import type { Store } from '@main/core/ports/store/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunService, type RunServiceParts } from '../run-service';

let place: Place;
let store: Store;
let runs: RunService;
beforeEach(() => {
  place = new Place();
  store = place.open();
  // Only what is used here: nothing of it is in memory.
  runs = new RunService(double<RunServiceParts>({ engine: { live: () => null }, store }));
});
afterEach(() => place.remove());

const NAMES = ['ann', 'bob'];
const mode = { iterative: true, readOnly: false, worktree: false, planApproval: false, idleMinutes: null };
const joined = (name: string, activationId: number): RunEvent => ({
  type: 'team.member-added',
  activationId,
  member: { name, profileId: 'writer', model: null, prompt: 'Write.', ...mode },
  by: 'operator',
});

/** In turn: instructions that begin rounds, their results, and notes to all. */
function* talk(messages: number, activationId: number): Generator<RunEvent> {
  for (let messageId = 1; messageId <= messages; messageId += 1) {
    const name = NAMES[messageId % 2] ?? '';
    const kind = messageId % 5 === 0 ? ('note' as const) : ('instruction' as const);
    const to = kind === 'note' ? [...NAMES, 'operator'] : [name];
    const about = { activationId, messageId, kind, text: `message ${messageId}` };
    yield { type: 'team.message', from: 'operator', to, ...about };
    const delivered = { activationId, to: name, messageIds: [messageId], turnId: messageId, final: false };
    if (kind !== 'note') yield { type: 'team.delivered', ...delivered, round: Math.ceil(messageId / 2) };
  }
}

async function run(uid: string, messages: number, { teams = 1, ends = true } = {}): Promise<number> {
  const projectId = store.addProject(`/projects/${uid}`, uid, 1).id;
  const teller = new Teller(store);
  const base = started({ uid, projectId, steps: ['team', 'second'] });
  if (base.type !== 'run.started') throw new Error('unreachable');
  const steps = base.definition.steps.map((step) => ({ ...step, type: 'step.team' }));
  const events: RunEvent[] = [{ ...base, definition: { ...base.definition, steps } }];
  for (let id = 1; id <= teams; id += 1) {
    const stepId = id === 1 ? 'team' : 'second';
    events.push({ type: 'activation.started', activationId: id, stepId, attempt: 1, inputs: [] });
    events.push(...NAMES.map((name) => joined(name, id)), ...talk(messages, id));
    if (ends) events.push(activationEnd(id));
  }
  if (ends) events.push({ type: 'run.finished', outcome: 'succeeded', reason: null });
  must(await teller.tell(...events));
  return teller.runId;
}

const whole = (runId: number): RunState => {
  const state = replay(store.log.read(runId));
  if (state === null) throw new Error('no run');
  return state;
};

/** Everything shown of a team: its row, and the last entry of each thread. */
function shown(state: RunState) {
  return Object.values(state.teams).map((team) => ({
    row: teamRow(state, team, { runId: 1, runUid: 'u', runName: 'n', projectName: 'p', status: 'finished' }),
    threads: [null, 'lead', ...NAMES].map((thread) =>
      threadPage(team, { thread, limit: 100 }).messages.map(({ deliveries, ...message }) => ({
        ...message,
        deliveries: Object.values(deliveries).map(({ seq: _, ...delivery }) => delivery),
      })),
    ),
    last: team.last,
    rounds: Object.values(team.members).map(({ rounds }) => rounds),
  }));
}

test('the earlier messages of an ended team with a long chat are not read, and nothing that is shown changes', async () => {
  const runId = await run('long', 1_000);
  const events = [
    ...(store.eventsWithoutHistory(runId, { event: 'team.message', keep: SNAPSHOT_MESSAGES }) ?? []),
  ];
  const said = events.filter(({ event }) => event.type === 'team.message');
  expect(said).toHaveLength(SNAPSHOT_MESSAGES);
  const full = whole(runId);
  const others = (all: readonly { readonly event: RunEvent }[]) =>
    all.filter(({ event }) => event.type !== 'team.message').length;
  expect(others(events)).toBe(others([...store.log.read(runId)]));
  const glanced = runs.stateWithoutHistory(runId);
  expect(glanced).not.toBeNull();
  expect(shown(glanced as RunState)).toEqual(shown(atFirstLook(full)));
  expect({ ...glanced, teams: null }).toEqual({ ...full, teams: null });
  const snapshot = must(runs.snapshot(runId)).state;
  expect(Object.keys(snapshot.teams[1]?.messages ?? {})).toHaveLength(SNAPSHOT_MESSAGES);
  // Later events are folded onto it, and a request for the whole state gets it.
  expect(runs.stateWithoutHistory(runId)).toBe(glanced);
  expect(Object.keys(must(runs.get(runId)).state.teams[1]?.messages ?? {})).toHaveLength(1_000);
});

test.each([
  ['a short chat', 100, {}],
  ['a run that goes on', 1_000, { ends: false }],
  ['two teams in one run', 400, { teams: 2 }],
])('a state without its history is whole where there is %s', async (_, messages, more) => {
  const runId = await run('whole', messages, more);
  expect(runs.stateWithoutHistory(runId)).toEqual(whole(runId));
});
