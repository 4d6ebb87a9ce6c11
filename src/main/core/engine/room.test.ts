import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { member, prompts, TeamHarness } from '../team/testing/team';
import { fakeProfile } from './testing/harness';

const NAMES = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6'];

async function openCrowd(most: number): Promise<TeamHarness> {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  team.config = { members: NAMES.map((name) => member(name, { iterative: true })) };
  const profiles = { fake: { ...fakeProfile, max_sessions: most } };
  await team.run({ steps: [{ id: 'team', type: 'step.team', config: team.config }] }, { profiles, prompts });
  return team;
}

/** The most sessions that were open at once after any event of the history. */
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

/** Everybody answers until nobody has a turn. */
async function deliverAll(team: TeamHarness): Promise<void> {
  for (let name = working(team)[0]; name !== undefined; name = working(team)[0])
    await team.deliver(name, 'done');
}
const working = (team: TeamHarness) => NAMES.filter((name) => team.waiting(name) !== undefined);
const rounds = (team: TeamHarness) => NAMES.map((name) => team.team.members[name]?.rounds.length);

describe('the limit of sessions of a profile', () => {
  it('holds when many are answered at once, and each has its turn', async () => {
    const team = await openCrowd(2);
    await deliverAll(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 1));
    for (const name of NAMES) await team.say(name, 'more');
    expect(working(team)).toHaveLength(2);
    await deliverAll(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 2));
    expect(mostOpen(team)).toBe(2);
  });

  it('holds when all of them are lost in a restart', async () => {
    const team = await openCrowd(2);
    await deliverAll(team);
    await team.engineAnew();
    for (const name of NAMES) await team.say(name, 'more');
    await settle(team);
    expect(rounds(team)).toEqual(NAMES.map(() => 2));
    expect(mostOpen(team)).toBe(2);
  });

  it('holds for what the operator says to sessions by themselves', async () => {
    const team = await openCrowd(1);
    await deliverAll(team);
    await team.engine.command(1, ({ state }) =>
      ok(
        Object.keys(state.sessions).map((id, index) => ({
          type: 'prompt.queued' as const,
          ...{
            promptId: index + 1,
            sessionId: Number(id),
            text: `own ${id}`,
            attachments: [],
            by: 'operator',
          },
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

  it('holds whatever happens, and nobody is left behind', async () => {
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

/** What was cut off is sent again, and everybody answers. */
async function settle(team: TeamHarness): Promise<void> {
  for (let steps = 0; steps < 200; steps += 1) {
    const gate = Object.values(team.state().gates).find(({ status }) => status === 'open');
    const name = working(team)[0];
    if (gate !== undefined) await team.answer('resend', { gateId: gate.id });
    else if (name !== undefined) await team.deliver(name, 'done');
    else return;
  }
}
