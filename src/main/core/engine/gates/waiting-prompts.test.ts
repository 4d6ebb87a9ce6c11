import { appError } from '@contract/errors';
import { ok } from '@contract/result';
import { activationWorks, runStatus } from '@contract/run/status';
import { member, openTeam } from '@features/team/core/testing/team';
import { describe, expect, test } from 'vitest';
import type { TurnResult } from '../../ports/ports';
import { gate, Harness, task } from '../testing/harness';

const refused = appError('agent.auth_required', 'not logged in', { mend: 'fake login' });
const loggedOut: Partial<TurnResult> = { outcome: 'failed', stopReason: 'error', error: refused };
const atLimit = (limitResetsAt: number | null): Partial<TurnResult> => ({ outcome: 'limit', limitResetsAt });

const say = async (harness: Harness, text: string, sessionId = 1): Promise<void> => {
  await harness.engine.command(1, ({ state }) =>
    ok([
      ...(state.status === 'finished' ? [{ type: 'run.reopened' as const, by: 'test' }] : []),
      {
        type: 'prompt.queued' as const,
        promptId: state.last.prompt + 1,
        sessionId,
        text,
        attachments: [],
        by: 'test',
      },
    ]),
  );
  await harness.idle();
};
const sent = (harness: Harness) => harness.agents.sent.map((turn) => turn.request.prompt);
const open = (harness: Harness) =>
  Object.values(harness.state().gates).filter((one) => one.status === 'open');
const pass = async (harness: Harness, ms: number) => {
  harness.clock.advance(ms);
  await harness.idle();
};

/** A finished run, reopened by a prompt whose turn ends like this. */
async function said(end: Partial<TurnResult>): Promise<Harness> {
  const harness = new Harness();
  await harness.run({ steps: [task('a')] });
  harness.agents.answer = () => end;
  await say(harness, 'why?');
  harness.agents.answer = () => ({ response: 'because' });
  expect(sent(harness)).toEqual(['do a', 'why?']);
  return harness;
}

describe("the operator's own prompt at a provider's limit", () => {
  test('a prompt of the operator is sent again when the limit ends, in a run that waits for it, also after a restart', async () => {
    for (const restarted of [false, true]) {
      const harness = await said(atLimit(61_000));
      expect(runStatus(harness.state())).toBe('limited');
      if (restarted) await harness.restart();
      await pass(harness, 59_000);
      expect(sent(harness)).toHaveLength(2);
      await pass(harness, 1_000);
      expect(sent(harness)).toEqual(['do a', 'why?', 'why?']);
      expect(harness.state().turns[3]).toMatchObject({ kind: 'operator', promptId: 1, resendOf: 2 });
      expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    }
  });

  test('a prompt of the operator is asked about where no one said when the limit ends', async () => {
    for (const option of ['resend', 'leave'] as const) {
      const harness = await said(atLimit(null));
      expect(open(harness)).toMatchObject([
        { kind: 'provider_limit', turnId: 2, options: [{ id: 'resend' }, { id: 'leave' }] },
      ]);
      await harness.answer(option);
      expect(sent(harness)).toHaveLength(option === 'resend' ? 3 : 2);
      expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    }
  });

  test('a prompt of the operator at a limit comes before the next one, and holds up no step', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a', { session_persist: true }), gate('ok')],
      cables: [{ from: 'a.data_out', to: 'ok.data_in' }],
    });
    harness.agents.answer = () => atLimit(61_000);
    await say(harness, 'why?');
    await say(harness, 'And then?');
    expect(sent(harness)).toEqual(['do a', 'why?']);
    expect(runStatus(harness.state())).toBe('limited');
    await harness.answer('approve');
    expect(harness.state().status).toBe('running');
    harness.agents.answer = () => ({ response: 'because' });
    await pass(harness, 60_000);
    expect(sent(harness)).toEqual(['do a', 'why?', 'why?', 'And then?']);
    expect(harness.state().status).toBe('finished');
  });

  test('a prompt of the operator at a limit is no work any more once it is withdrawn', async () => {
    const team = await openTeam({ members: [member('S1', { iterative: true })] });
    await team.deliver('S1', 'done');
    team.agents.answer = () => atLimit(5 * 60 * 60_000);
    await say(team, 'why?');
    const works = () =>
      Object.values(team.state().activations).map((one) => activationWorks(team.state(), one));
    expect(works()).toEqual([true]);
    await team.engine.command(1, () =>
      ok([{ type: 'prompt.withdrawn', promptId: 1, reason: 'withdrawn by the operator' }]),
    );
    expect(works()).toEqual([false]);
  });

  test('a prompt of the operator goes with a run that is cancelled meanwhile, and does not come back with the next prompt', async () => {
    const harness = await said(atLimit(61_000));
    await harness.cancel();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.state().prompts[1]).toMatchObject({ status: 'withdrawn' });
    await say(harness, 'Still there?');
    await pass(harness, 60_000);
    expect(sent(harness)).toEqual(['do a', 'why?', 'Still there?']);
    expect(harness.state().status).toBe('finished');
  });
});

describe("the operator's own prompt to an agent that is not logged in", () => {
  test('a prompt without a login waits at a gate, its program goes, and it is sent again in its session', async () => {
    const harness = await said(loggedOut);
    expect(open(harness)).toMatchObject([
      { kind: 'login', turnId: 2, message: 'fake login', options: [{ id: 'resend' }, { id: 'leave' }] },
    ]);
    expect(harness.state().sessions[1]?.status).toBe('parked');
    await harness.restart();
    await harness.answer('resend');
    expect(sent(harness)).toEqual(['do a', 'why?', 'why?']);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test('a prompt without a login is asked about at the start of its program too, as often as the login is missing', async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('a')] });
    harness.agents.refuse = () => refused;
    await say(harness, 'why?');
    expect(open(harness)).toMatchObject([
      { kind: 'login', turnId: null, options: [{ id: 'resend' }, { id: 'leave' }] },
    ]);
    await harness.answer('resend');
    expect(open(harness)).toMatchObject([{ kind: 'login' }]);
    harness.agents.refuse = () => null;
    await harness.answer('resend');
    expect(sent(harness)).toEqual(['do a', 'why?']);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  });

  test('a prompt without a login is not sent where it is left', async () => {
    const harness = await said(loggedOut);
    harness.agents.refuse = () => refused;
    await harness.answer('resend');
    await harness.answer('leave');
    expect(sent(harness)).toHaveLength(2);
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.state().prompts[1]).toMatchObject({ status: 'withdrawn' });
  });
});

test('a login that is missing for a prompt to a stopped member is asked for once, and waits', async () => {
  const team = await openTeam({ members: [member('S1'), member('S2', { iterative: true })] });
  await team.deliver('S1', 'done');
  await team.call('operator', 'team_shutdown', { member: 'S1', force: true });
  expect(team.word('S1')).toBe('stopped');
  await team.restart();
  team.agents.refuse = () => refused;
  const { lanes = {} } = team.state().activations[1] ?? {};
  await say(team, 'why?', lanes['member-S1']);
  const asked = () => open(team).filter(({ kind }) => kind === 'login');
  expect(asked()).toHaveLength(1);
  expect(team.logged.filter((line) => line.includes('come to rest'))).toEqual([]);
  team.agents.refuse = () => null;
  await team.answer('resend', { gateId: asked()[0]?.id ?? 0 });
  expect(sent(team).at(-1)).toBe('why?');
});
