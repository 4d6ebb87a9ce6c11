import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import { member, prompts, TeamHarness } from '@features/team/core/testing/team';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fakeProfile, Harness, task } from '../testing/harness';

const NAMES = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6'];

async function openCrowd(most: number): Promise<TeamHarness> {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  team.config = { members: NAMES.map((name) => member(name, { iterative: true })) };
  const profiles = { fake: { ...fakeProfile, max_sessions: most } };
  await team.run({ steps: [{ id: 'team', type: 'step.team', config: team.config }] }, { profiles, prompts });
  return team;
}

/** The maximum number of sessions open at once, over all events of the history. */
function mostOpen(team: TeamHarness): number {
  let most = 0;
  let state: ReturnType<typeof replay> = null;
  for (const stored of team.log.read(1)) {
    state = replay([stored], state);
    const open = Object.values(state?.sessions ?? {}).filter(({ status }) =>
      ['starting', 'resuming', 'ready'].includes(status),
    );
    most = Math.max(most, open.length);
  }
  return most;
}

/** Answers all turns until none is in flight. */
async function deliverAll(team: TeamHarness): Promise<void> {
  for (let name = working(team)[0]; name !== undefined; name = working(team)[0])
    await team.deliver(name, 'done');
}
const working = (team: TeamHarness) => NAMES.filter((name) => team.waiting(name) !== undefined);
const rounds = (team: TeamHarness) => NAMES.map((name) => team.team.members[name]?.rounds.length);

describe('the session limit of a profile', () => {
  test('the session limit holds when many are answered at once, and each has its turn', async () => {
    const team = await openCrowd(2);
    await deliverAll(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 1));
    for (const name of NAMES) await team.say(name, 'more');
    expect(working(team)).toHaveLength(2);
    await deliverAll(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 2));
    expect(mostOpen(team)).toBe(2);
  });

  test('the session limit holds when all sessions are lost in a restart', async () => {
    const team = await openCrowd(2);
    await deliverAll(team);
    await team.restartEngine();
    for (const name of NAMES) await team.say(name, 'more');
    await settle(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 2));
    expect(mostOpen(team)).toBe(2);
  });

  test("the session limit holds for the operator's own prompts to sessions", async () => {
    const team = await openCrowd(1);
    await deliverAll(team);
    await team.engine.command(1, ({ state }) =>
      ok(
        Object.keys(state.sessions).map((id, index) => ({
          type: 'prompt.queued' as const,
          promptId: index + 1,
          sessionId: Number(id),
          text: `own ${id}`,
          attachments: [],
          by: 'operator',
        })),
      ),
    );
    await team.idle();
    for (let turn = team.agents.sent.at(-1); turn?.request.prompt.startsWith('own'); ) {
      turn.end({ response: 'yes' });
      await team.idle();
      const next = team.agents.sent.at(-1);
      if (next === turn) break;
      turn = next;
    }
    expect(Object.values(team.state().prompts).map(({ status }) => status)).toEqual(NAMES.map(() => 'sent'));
    expect(mostOpen(team)).toBe(1);
  });

  test('the session limit is no reason to leave a prompt unsent where another step holds the place idle', async () => {
    const team = new TeamHarness();
    team.agents.answer = () => null;
    const profiles = { fake: { ...fakeProfile, max_sessions: 1 } };
    const config = { members: [member('S1', { iterative: true })] };
    const step = (id: string) => ({ id, type: 'step.team', config });
    await team.run({ steps: [step('one'), step('two')] }, { profiles, prompts });
    for (let turn = 0; turn < 2; turn += 1) {
      team.agents.sent[turn]?.end({ response: 'done' });
      await team.idle();
    }
    const statuses = () => Object.values(team.state().sessions).map(({ status }) => status);
    expect(statuses()).toEqual(['parked', 'ready']);
    await team.engine.command(1, () =>
      ok([
        {
          type: 'prompt.queued' as const,
          promptId: 1,
          sessionId: 1,
          text: 'own',
          attachments: [],
          by: 'operator',
        },
      ]),
    );
    await team.idle();
    expect(team.agents.sent.at(-1)?.request.prompt).toBe('own');
    expect(statuses()).toEqual(['ready', 'parked']);
  });

  test('the session limit holds whatever happens, and no one is left behind', async () => {
    const act = fc.oneof(
      { arbitrary: fc.record({ say: fc.constantFrom(...NAMES) }), weight: 4 },
      { arbitrary: fc.record({ end: fc.nat(5) }), weight: 4 },
      { arbitrary: fc.constant('restart' as const), weight: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(act, { maxLength: 25 }),
        async (most, acts) => {
          const team = await openCrowd(most);
          for (const one of acts) {
            if (one === 'restart') await team.restart();
            else if ('say' in one) await team.say(one.say, 'more');
            else {
              const busy = working(team);
              const name = busy[one.end % Math.max(1, busy.length)];
              if (name !== undefined) await team.deliver(name, 'done');
            }
          }
          await settle(team);
          expect(mostOpen(team)).toBeLessThanOrEqual(most);
          expect(NAMES.map((name) => team.team.members[name]?.queue)).toEqual(NAMES.map(() => []));
        },
      ),
      { numRuns: 15 },
    );
  });
});

/** Resends what was interrupted, and answers all turns. */
async function settle(team: TeamHarness): Promise<void> {
  for (let steps = 0; steps < 200; steps += 1) {
    const gate = Object.values(team.state().gates).find(({ status }) => status === 'open');
    const name = working(team)[0];
    if (gate !== undefined) await team.answer('resend', { gateId: gate.id });
    else if (name !== undefined) await team.deliver(name, 'done');
    else return;
  }
}

const APPROVE = '{"decision": "approve", "findings": []}';
const profilesOf = (most: number) => ({
  anna: { ...fakeProfile, id: 'anna', max_sessions: most },
  bert: { ...fakeProfile, id: 'bert', max_sessions: most },
});
const chain = (id: string, agents: readonly string[]) => ({
  id,
  type: 'step.coding',
  config: {
    instruction: `build ${id}`,
    coordination: 'review_chain',
    agents: agents.map((name, index) => ({
      role: index === 0 ? 'builder' : 'reviewer',
      acp_profile_id: name,
    })),
  },
});
const crossed = [chain('a', ['anna', 'bert']), chain('b', ['bert', 'anna'])];

describe('steps that hold places which the other needs', () => {
  test.each([
    ['can be resumed', true],
    ['cannot be resumed', false],
  ])("steps that hold each other's places go on where the idle sessions %s", async (_, resumes) => {
    const harness = new Harness();
    harness.agents.resumes = resumes;
    harness.agents.answer = () => ({ response: APPROVE });
    await harness.run({ steps: crossed }, { profiles: profilesOf(1) });
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test("steps that hold each other's places go on though another step waits at a gate or works on", async () => {
    const harness = new Harness();
    harness.agents.answer = ({ spec }) => (spec.profile.id === 'fake' ? null : { response: APPROVE });
    const profiles = { ...profilesOf(1), fake: fakeProfile };
    const ok = { id: 'ok', type: 'step.approval', config: { message: 'ok?' } };
    await harness.run({ steps: [...crossed, task('long'), ok] }, { profiles });
    const ended = Object.values(harness.state().activations).map(({ stepId, outcome }) => [stepId, outcome]);
    expect(Object.fromEntries(ended)).toEqual({ a: 'succeeded', b: 'succeeded', long: null, ok: null });
  });

  test('steps wait for one that works, and take no one’s place between two turns', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    await harness.run(
      { steps: [chain('a', ['anna', 'bert']), task('c', { acp_profile_id: 'anna' })] },
      { profiles: profilesOf(1) },
    );
    for (let turn = harness.agents.sent.at(-1); turn?.request.prompt.includes('build a') === true; ) {
      turn.end({ response: APPROVE });
      await harness.idle();
      turn = harness.agents.sent.at(-1);
    }
    expect(harness.events().filter(({ type }) => type === 'session.parked')).toEqual([]);
  });

  test('steps do not pass a place to and fro while a budget holds all of them up', async () => {
    const harness = new Harness();
    const usage = { input_tokens: 60, output_tokens: 60, total_tokens: 120, cost_usd: null };
    harness.agents.answer = () => ({ response: APPROVE, usage });
    await harness.run({ steps: crossed, budget: { tokens: 100 } }, { profiles: profilesOf(1) });
    const rows = harness.log.rows.length;
    await harness.idle();
    expect(harness.log.rows.length).toBe(rows);
    for (let asked = 0; asked < 9 && harness.state().status === 'running'; asked += 1)
      await harness.answer('raise');
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });
});
