import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import { activationWorks, runStatus } from '@contract/run/status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAD } from '../contract/events';
import { teamKey } from '../contract/keys';
import { LEAD_LANE, memberLane } from '../contract/lanes/lanes';
import { teamRests } from '../contract/quiescence/quiescence';
import { hasEnded, memberStatus } from '../contract/status';
import { errorOf, member, openTeam, type TeamHarness } from './testing/team';

type Action =
  | {
      kind: 'say' | 'deliver' | 'fail' | 'limit' | 'login' | 'interrupt' | 'satisfied' | 'force' | 'note';
      who: number;
    }
  | { kind: 'answer'; gate: number; option: number }
  | { kind: 'restart' | 'broadcast' | 'cleanup' | 'time' | 'disk' | 'absent' | 'again' };

const NAMES = ['one', 'two', 'three', 'lead'];
const who = fc.nat(NAMES.length - 1);
const of = <K extends Action['kind']>(kind: K, weight: number) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), who }) as fc.Arbitrary<Action>,
});
const alone = (kind: Exclude<Action, { who: number } | { gate: number }>['kind'], weight: number) => ({
  weight,
  arbitrary: fc.constant({ kind } as Action),
});
const action = fc.oneof(
  of('say', 6),
  of('deliver', 8),
  of('note', 2),
  of('fail', 1),
  of('limit', 2),
  of('login', 1),
  of('interrupt', 1),
  of('satisfied', 2),
  of('force', 1),
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('answer' as const), gate: fc.nat(3), option: fc.nat(2) }),
  },
  alone('restart', 2),
  alone('broadcast', 1),
  alone('cleanup', 2),
  alone('time', 1),
  alone('disk', 1),
  alone('absent', 1),
  alone('again', 1),
);

/**
 * SPEC "Teams", restated independently: which members block a cleanup. A member asked about in mid-round
 * waits for its provider.
 */
function mayCleanUp(team: TeamHarness): boolean {
  const state = team.state();
  const waits = Object.values(state.gates).flatMap(({ status, kind, turnId }) =>
    status === 'open' && (kind === 'provider_limit' || kind === 'login')
      ? (state.turns[turnId ?? 0]?.lane ?? [])
      : [],
  );
  return Object.values(team.team.members).every((one) => {
    const { word } = memberStatus(state, team.team, one);
    if (one.iterative) return ['stopped', 'merged', 'failed'].includes(word);
    if (waits.includes(memberLane(one.name))) return hasEnded(one);
    return !['starting', 'working', 'stopping', 'awaiting_permission'].includes(word);
  });
}

const loggedOut = appError('agent.auth_required', 'it is not logged in');

/** The next agent fails to start. */
function absent({ agents }: TeamHarness): void {
  agents.refuse = () => {
    agents.refuse = () => null;
    return appError('agent.start_failed', 'it is not there');
  };
}

let said = 0;

async function act(team: TeamHarness, step: Action): Promise<void> {
  const name = 'who' in step ? (NAMES[step.who] ?? '') : '';
  switch (step.kind) {
    case 'say':
      said += 1;
      return void (await team.say(name, `say ${said}`));
    case 'note':
      said += 1;
      return void (await team.call({ role: 'member', name: 'two', turnId: null }, 'team_message', {
        to: name,
        text: `note ${said}`,
      }));
    case 'deliver':
      return team.waiting(name)?.end({ response: `<task-result>by ${name}</task-result>` });
    case 'fail':
      return team.waiting(name)?.end({ outcome: 'failed', stopReason: 'x' });
    case 'limit':
      // All others report their own end.
      return team.waiting(name)?.end({
        outcome: 'limit',
        limitResetsAt: step.who % 2 === 0 ? team.clock.time + 5 * 60_000 : null,
      });
    case 'login':
      return team.waiting(name)?.end({ outcome: 'failed', stopReason: 'x', error: loggedOut });
    case 'interrupt': {
      const turnId = team.waiting(name)?.request.turnId;
      if (turnId !== undefined)
        await team.engine.command(1, () => ok([{ type: 'turn.cancel-requested', turnId, by: 'test' }]));
      return;
    }
    case 'satisfied':
      if (name === LEAD) return;
      return void (await team.call('operator', 'satisfied', { member: name }));
    case 'force':
      if (name === LEAD) return;
      return void (await team.call('operator', 'team_shutdown', { member: name, force: true }));
    case 'broadcast':
      return void (await team.call('operator', 'team_broadcast', { text: 'all' }));
    case 'cleanup': {
      if (team.team.cleanedUp !== null || team.state().status === 'finished') return;
      const may = mayCleanUp(team);
      const refused = errorOf(await team.call('operator', 'team_cleanup', {})) === 'team.cleanup_refused';
      expect(refused, 'cleanup is refused exactly when a member holds it up').toBe(!may);
      return;
    }
    case 'answer': {
      const open = Object.values(team.state().gates).filter((gate) => gate.status === 'open');
      const gate = open[step.gate % Math.max(1, open.length)];
      const option = gate?.options[step.option % gate.options.length]?.id;
      if (gate && option) await team.answer(option, { gateId: gate.id, reason: 'because' });
      return;
    }
    case 'restart':
      return team.restart();
    case 'absent':
      return void absent(team);
    case 'again': {
      if (team.state().status === 'finished') return;
      await team.cancel();
      if (team.state().status === 'finished')
        await team.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
      return;
    }
    case 'disk':
      team.log.failing = 1;
      return;
    case 'time':
      return team.clock.advance(30 * 60_000);
  }
}

function check(team: TeamHarness): void {
  const delivered = new Map<string, number[]>();
  const state = team.state();
  const events = team.events();
  const messages = new Map(
    events.flatMap((event) => (event.type === 'team.message' ? [[event.messageId, event] as const] : [])),
  );
  for (const event of events) {
    if (event.type !== 'team.delivered') continue;
    const before = delivered.get(event.to) ?? [];
    expect(new Set([...before, ...event.messageIds]).size, 'each message is delivered once').toBe(
      before.length + event.messageIds.length,
    );
    const all = [...before, ...event.messageIds];
    delivered.set(event.to, all);
    const from = new Set(all.map((id) => messages.get(id)?.from));
    for (const sender of from) {
      const order = all.filter((id) => messages.get(id)?.from === sender);
      expect(order, 'in the order in which it was sent').toEqual([...order].sort((a, b) => a - b));
    }
    if (event.round !== null && !event.final) {
      const instructed = event.messageIds.some((id) => messages.get(id)?.kind === 'instruction');
      expect(instructed, 'no round without an instruction').toBe(true);
    }
  }
  for (const one of Object.values(state.teams[1]?.members ?? {})) {
    const results = one.rounds.filter((round) => round.result !== null).map((round) => round.round);
    expect(new Set(results).size, 'a round is delivered once').toBe(results.length);
    if (one.iterative && one.stopped !== null && state.teams[1]?.cleanedUp === null)
      expect(
        one.released !== null || one.failed !== null || events.some((e) => e.type === 'team.stopping'),
        'only the operator ends an iterative member',
      ).toBe(true);
  }
  checkLead(team);
  checkEnds(team);
  checkRest(team);
  expect(replay(team.log.read(1))).toEqual(team.engine.live(1)?.state ?? state);
}

/**
 * A stopped member stays stopped, and a last round is only skipped by force, by the operator, or by a
 * failure.
 */
function checkEnds(team: TeamHarness): void {
  const { activations, turns, gates } = team.state();
  const gone = new Set<string>();
  for (const event of team.events()) {
    if (event.type === 'team.freezing' || event.type === 'team.stopped') gone.add(memberLane(event.member));
    if (event.type === 'turn.dispatched' && event.promptId === undefined)
      expect(gone.has(event.lane ?? ''), `${event.lane} is sent something and has stopped`).toBe(false);
  }
  for (const { name, stopped, rounds } of Object.values(team.team.members)) {
    if (stopped === null) continue;
    const sessionId = activations[1]?.lanes[memberLane(name)];
    const asked = Object.values(gates).filter((gate) => gate.sessionId === sessionId);
    expect(
      asked.filter(({ status }) => status === 'open'),
      `${name} is asked about and has stopped`,
    ).toEqual([]);
    const last = rounds.at(-1);
    const ended = turns[last?.turnIds.at(-1) ?? 0];
    if (last?.final !== true || last.result !== null || stopped.reason === 'ended by force') continue;
    expect([ended?.status, ended?.cancelledBy ?? null], `the last round of ${name} is waited for`).toEqual([
      'cancelled',
      'test',
    ]);
  }
}

/** For an idle team the operator is asked, now or at a set time. */
function checkRest(team: TeamHarness): void {
  const state = team.state();
  const activation = state.activations[1];
  if (activation === undefined || state.status !== 'running') return;
  const gates = Object.values(state.gates).filter(({ about }) => about === teamKey.text(['team.at-rest']));
  const rests = teamRests(state, team.team) && !activationWorks(state, activation);
  const timed = Object.values(state.timers).some(
    ({ purpose, fired }) => !fired && teamKey.read(purpose)?.[0] === 'team.rest',
  );
  if (rests) {
    expect(timed || gates.some(({ status }) => status !== 'withdrawn'), 'a team at rest is asked about').toBe(
      true,
    );
    expect(runStatus(state)).toBe('waiting');
  } else
    expect(
      gates.filter(({ status }) => status === 'open'),
      'one that goes on is not',
    ).toEqual([]);
}

/** For a lead agent: no message to it is lost, and its silence is reported to the operator. */
function checkLead(team: TeamHarness): void {
  const state = team.state();
  const { leadQueue, leadStalled, messages } = team.team;
  const events = team.events();
  const got = events.flatMap((event) => {
    if (event.type === 'team.delivered' && event.to === LEAD) return event.messageIds;
    return event.type === 'team.seen' && event.reader === LEAD ? event.messageIds : [];
  });
  const withdrawn = (id: number) => messages[id]?.deliveries[LEAD]?.state === 'withdrawn';
  const meant = Object.values(messages).filter(({ deliveries }) => deliveries[LEAD] !== undefined);
  expect(
    meant.map(({ id }) => id).filter((id) => !got.includes(id) && !leadQueue.includes(id) && !withdrawn(id)),
    'what is meant for the lead has reached it or waits',
  ).toEqual([]);
  const asked = Object.values(state.gates).findLast((gate) => gate.title === 'The lead failed');
  if (state.status === 'running' && state.activations[1]?.brokenLanes[LEAD_LANE] !== undefined)
    expect(asked?.answer?.option ?? asked?.status, 'a lead that failed is asked about').toMatch(
      /^(open|leave)$/,
    );
  const stalls = events.filter((event) => event.type === 'team.stalled' && event.member === LEAD);
  const flagged = stalls.filter((event) => event.type === 'team.stalled' && event.why !== null).length;
  const gates = Object.values(state.gates).filter((gate) => gate.title === 'The lead stalls');
  expect(gates.length, 'each silence of the lead is asked about once').toBe(flagged);
  expect(gates.some((gate) => gate.status === 'open')).toBe(
    leadStalled !== null && !gates.some((gate) => gate.status === 'resolved' && gate.id === gates.at(-1)?.id),
  );
}

test('each message of any team arrives once and in order, and no round begins by itself, whatever ends, fails or is cut off', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.array(action, { maxLength: 30 }),
      async (led, rounds, actions) => {
        const team = await openTeam({
          ...(led ? { lead: { agent: 'leader' }, instruction: 'Lead them.' } : {}),
          members: [
            member('one', { iterative: rounds }),
            member('two', { iterative: rounds, plan_approval: rounds }),
            member('three'),
          ],
          max_rounds: 4,
          idle_minutes: 60,
        });
        for (const step of actions) {
          await act(team, step);
          await team.idle();
          team.clock.advance(1);
          await team.idle();
        }
        team.clock.advance(10_000);
        await team.idle();
        // Without rounds it becomes idle.
        for (let time = 0; time < 3 && !rounds; time += 1) {
          for (const name of NAMES)
            team.waiting(name)?.end({ response: `<task-result>by ${name}</task-result>` });
          await team.idle();
        }
        check(team);
        // Messages to an idle member have reached it.
        const state = team.state();
        const turns = Object.values(state.turns).filter((turn) => turn.lane === LEAD_LANE);
        const works =
          state.status === 'running' && state.activations[1]?.brokenLanes[LEAD_LANE] === undefined;
        const leadIsFree = led && works && turns.at(-1)?.status === 'completed';
        const unread = team.team.leadQueue.filter((id) => team.team.messages[id]?.kind !== 'note');
        if (leadIsFree) expect(unread, 'a lead that is free has all that is meant for it').toEqual([]);
        for (const one of Object.values(team.team.members)) {
          const { word } = memberStatus(state, team.team, one);
          const waits = one.queue.some((id) => team.team.messages[id]?.kind === 'instruction');
          if (!waits || hasEnded(one) || state.status === 'finished') continue;
          const held = ['working', 'awaiting_permission', 'awaiting_operator', 'stopping', 'starting'];
          expect(
            held.includes(word) || one.rounds.length >= 4,
            `${one.name} is ${word} with something to do`,
          ).toBe(true);
        }
      },
    ),
    { numRuns: 150 },
  );
});
