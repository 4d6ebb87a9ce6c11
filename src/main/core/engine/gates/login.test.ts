import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import { anna, answers, bert, run as runCoding, who } from '@features/coding/core/testing/agents';
import { LoopHarness, passed } from '@features/loop/core/testing/loop';
import { member, openTeam } from '@features/team/core/testing/team';
import { describe, expect, test } from 'vitest';
import type { TurnResult } from '../../ports/ports';
import { Harness, task } from '../testing/harness';

const refused = appError('agent.auth_required', 'Fake is not logged in: 401', {
  mend: 'Log in with: fake login',
});
const loggedOut: Partial<TurnResult> = { outcome: 'failed', stopReason: 'error', error: refused };
const statuses = (harness: Harness) => Object.values(harness.state().turns).map(({ status }) => status);
const openGates = (harness: Harness) =>
  Object.values(harness.state().gates).flatMap(({ kind, status }) => (status === 'open' ? [kind] : []));

/** A chain of two prompts; at the second, the agent is logged out. */
async function chain(more: (harness: Harness) => void = () => undefined): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => (request.prompt === 'again' ? loggedOut : { response: 'One.' });
  more(harness);
  await harness.run({ steps: [task('a', { re_prompts: ['again'] })] });
  return harness;
}

describe('a login that expires in the middle of a run', () => {
  test('a login that expires opens a gate with the login command, and the prompt is sent again in its session', async () => {
    const harness = await chain();
    expect(statuses(harness)).toEqual(['completed', 'login']);
    expect(harness.state().gates[1]).toMatchObject({
      kind: 'login',
      status: 'open',
      turnId: 2,
      sessionId: 1,
      activationId: 1,
      message: 'Log in with: fake login',
      evidence: 'Fake is not logged in: 401',
    });
    const updates = harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
    expect(updates[1]).toContain('Result: blocked');
    await harness.restart();
    expect(harness.agents.sent).toHaveLength(2);
    harness.agents.answer = () => ({ response: 'Two.' });
    await harness.answer('resend');
    expect(harness.agents.sent.at(-1)?.request.prompt).toBe('again');
    expect(harness.state().sessions[1]?.turnIds).toEqual([1, 2, 3]);
    expect(harness.state()).toMatchObject({
      outcome: 'succeeded',
      turns: { 3: { resendOf: 2, ordinal: 1 } },
    });
  });

  test('a login that expires lets its program go, which takes the conversation up again with the new login', async () => {
    const harness = await chain();
    expect(harness.agents.ended).toEqual([expect.stringContaining('park')]);
    expect(harness.agents.opened).toHaveLength(1);
    harness.agents.answer = () => ({ response: 'Two.' });
    await harness.answer('resend');
    expect(harness.agents.opened.at(-1)?.resume).toMatchObject({ providerSessionId: 'provider-1' });
  });

  test('a login that expires fails the step where the operator says so', async () => {
    const harness = await chain();
    await harness.answer('fail');
    expect(harness.state().activations[1]).toMatchObject({ outcome: 'failed', error: refused });
  });

  test('an expired login is asked about again when the run is resumed and the agent still does not start, not failed at once', async () => {
    const harness = new Harness();
    harness.agents.refuse = () => refused;
    await harness.run({ steps: [task('a')] });
    for (const [times, end] of [() => harness.answer('fail'), () => harness.cancel()].entries()) {
      await end();
      await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
      await harness.idle();
      expect([harness.agents.opened.length, openGates(harness)]).toEqual([times + 2, ['login']]);
    }
    harness.agents.refuse = () => null;
    await harness.answer('resend');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an expired login is asked about again as often as it is still missing, at the start of the program too', async () => {
    const harness = await chain();
    await harness.answer('resend');
    expect(statuses(harness)).toEqual(['completed', 'login', 'login']);
    expect(openGates(harness)).toEqual(['login']);
    harness.agents.refuse = () => refused;
    await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(3);
    expect(openGates(harness)).toEqual(['login']);
    await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(4);
    harness.agents.refuse = () => null;
    harness.agents.answer = () => ({ response: 'Two.' });
    await harness.answer('resend');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('a login that expires keeps a program that would forget the conversation, until it has shown that it must begin again', async () => {
    const harness = await chain(({ agents }) => {
      agents.resumes = false;
    });
    expect(harness.agents.ended).toEqual([]);
    await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.agents.ended).toHaveLength(1);
    harness.agents.answer = () => ({ response: 'Two.' });
    await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(2);
    expect(harness.agents.sent.at(-1)?.request.prompt).toContain('One.');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an expired login stays a failure in an old history', async () => {
    const harness = await chain();
    const rows = harness.log.read(1).map((row) => {
      const { event } = row;
      return event.type === 'turn.finished' && event.outcome === 'login'
        ? { ...row, event: { ...event, outcome: 'failed' as const } }
        : row;
    });
    expect(replay(rows)?.turns[2]).toMatchObject({ status: 'failed', error: refused });
  });
});

describe('a login that is missing at the start of a program', () => {
  async function missing(): Promise<Harness> {
    const harness = new Harness();
    harness.agents.refuse = () => refused;
    await harness.run({ steps: [task('a', { re_prompts: ['again'] })] });
    expect(openGates(harness)).toEqual(['login']);
    return harness;
  }
  const resumeRun = async (harness: Harness) => {
    await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
    await harness.idle();
  };

  test('a missing login is asked about again in a resumed run, whatever became of the question before', async () => {
    for (const how of ['cancel', 'fail'] as const) {
      const harness = await missing();
      if (how === 'cancel') await harness.cancel();
      else await harness.answer('fail');
      expect(harness.state().status).toBe('finished');
      await resumeRun(harness);
      expect(harness.agents.opened).toHaveLength(2);
      expect(openGates(harness)).toEqual(['login']);
      harness.agents.refuse = () => null;
      await harness.answer('resend');
      expect(harness.state().outcome).toBe('succeeded');
    }
  });

  test('a login that lapses later is asked about at once, however often it was tried before', async () => {
    const harness = await missing();
    for (let more = 0; more < 3; more += 1) await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(4);
    harness.agents.refuse = () => null;
    harness.agents.answer = () => null;
    await harness.answer('resend');
    expect(harness.agents.sent).toHaveLength(1);
    await harness.restart();
    harness.agents.refuse = () => refused;
    await harness.answer('resend');
    expect(harness.agents.opened).toHaveLength(6);
    expect(openGates(harness)).toEqual(['login']);
  });
});

test('a missing login holds up one agent of a step and not the others', async () => {
  const harness = new Harness();
  answers(harness, { anna: ['built'], bert: ['looked'] });
  const answer = harness.agents.answer;
  harness.agents.answer = (turn) => (who(turn) === 'bert' ? loggedOut : answer(turn));
  await runCoding(harness, [anna(), bert({ role: 'builder' })], { coordination: 'parallel' });
  expect(statuses(harness).sort()).toEqual(['completed', 'login']);
  expect(openGates(harness)).toEqual(['login']);
  harness.agents.answer = answer;
  await harness.answer('resend');
  expect(statuses(harness).sort()).toEqual(['completed', 'completed', 'login']);
  expect(harness.state().outcome).toBe('succeeded');
});

test('a missing login keeps a member of a team in it', async () => {
  const team = await openTeam({ members: [member('S1', { iterative: true })] });
  team.waiting('S1')?.end(loggedOut);
  await team.idle();
  expect(team.word('S1')).toBe('awaiting_operator');
  expect(openGates(team)).toEqual(['login']);
  await team.answer('resend');
  expect(team.waiting('S1')?.request.prompt).toContain('work of S1');
  await team.deliver('S1', 'draft');
  expect(team.team.members.S1?.rounds).toMatchObject([{ result: { text: 'draft' } }]);
});

test('a missing login does not use up an attempt of a loop', async () => {
  const harness = new LoopHarness(['A']);
  harness.deeds = [{ end: loggedOut }, passed('A')];
  await harness.loop();
  expect(harness.results()).toEqual([]);
  expect(openGates(harness)).toEqual(['login']);
  await harness.answer('resend');
  expect(harness.results()).toEqual(['1 completed A']);
  expect(harness.state().outcome).toBe('succeeded');
});

test("an attempt's own time does not count while it waits for a provider's limit or a login", async () => {
  const harness = new LoopHarness(['A']);
  const limitResetsAt = harness.clock.time + 3_600_000;
  harness.deeds = [
    { end: { outcome: 'limit', limitResetsAt } },
    { end: loggedOut },
    { ...passed('A'), hang: true },
  ];
  await harness.loop({ attempt_minutes: 2 });
  harness.clock.advance(3_600_000);
  await harness.idle();
  harness.clock.advance(3_600_000);
  await harness.idle();
  await harness.answer('resend');
  harness.clock.advance(60_000);
  await harness.idle();
  expect(Object.values(harness.state().turns).map(({ status }) => status)).toEqual([
    ...['limit', 'login', 'in_flight'],
  ]);
  harness.clock.advance(61_000);
  await harness.idle();
  expect(harness.updates()[0]?.update.summary[0]).toContain('the limit of an attempt');
});
