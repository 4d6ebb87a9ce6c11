import { observedNow } from '@areas/sessions/contract/reduce';
import { ok } from '@contract/result';
import { runStatus } from '@contract/run/status';
import { describe, expect, test } from 'vitest';
import { QUIET_AGENT_MS, SCREEN_STILL_MS, SILENT_AGENT_MS, TYPED_ANSWER_MS } from '../../../limits/core';
import { heardOf } from '../base/live-run';
import { fakeProfile, Harness, task } from '../testing/harness';

const QUESTION = {
  state: 'waits',
  since: 950,
  reason: 'may it use Bash?',
  screen: 'rm -r build? (y/n)',
} as const;

async function running(): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => null;
  harness.agents.survives = () => 'goes_on';
  await harness.run({ steps: [task('a')] });
  return harness;
}
async function seen(harness: Harness, what: Parameters<Harness['agents']['sent'][0]['seen']>[0]) {
  harness.agents.sent.at(-1)?.seen(what);
  await harness.idle();
}
const told = (harness: Harness) =>
  harness.events().filter(({ type }) => /^(session\.observed|gate\.|turn\.cancel)/.test(type));
const now = (harness: Harness) => {
  const session = harness.state().sessions[1];
  return session === undefined ? null : observedNow(harness.state(), session);
};

describe('an agent that waits at its terminal', () => {
  test('an agent that waits at its terminal waits in the inbox until it goes on, asked once however often it is looked at', async () => {
    const harness = await running();
    await seen(harness, { state: 'working' });
    expect(told(harness)).toEqual([]);
    for (let look = 0; look < 3; look += 1) await seen(harness, QUESTION);
    expect(told(harness)).toMatchObject([
      { type: 'session.observed', sessionId: 1, turnId: 1, state: 'waits', since: 950 },
      {
        type: 'gate.opened',
        kind: 'terminal_question',
        sessionId: 1,
        turnId: 1,
        activationId: 1,
        evidence: 'rm -r build? (y/n)',
        title: expect.stringMatching(/waits for an answer in its terminal/),
      },
    ]);
    expect(now(harness)).toMatchObject({ state: 'waits', reason: 'may it use Bash?' });
    expect(runStatus(harness.state())).toBe('waiting');
    await seen(harness, { state: 'working' });
    expect(told(harness).slice(2)).toMatchObject([
      { type: 'session.observed', state: 'working' },
      { type: 'gate.withdrawn', gateId: 1, reason: 'The agent has gone on.' },
    ]);
    expect(now(harness)).toBeNull();
    await seen(harness, QUESTION);
    expect(harness.state().gates[2]).toMatchObject({ status: 'open' });
  });

  test('an agent that waits at its terminal does not count as silent', async () => {
    const harness = await running();
    const run = harness.engine.live(1);
    await seen(harness, QUESTION);
    expect(run && heardOf(run, 1, 5)).toBe(harness.clock.now());
  });

  test('an agent that waits at its terminal asks no more when its turn has ended', async () => {
    const harness = await running();
    await seen(harness, QUESTION);
    harness.agents.sent[0]?.end({ response: 'done' });
    await harness.idle();
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(harness.state().gates[1]).toMatchObject({ status: 'withdrawn', reason: 'The turn has ended.' });
    expect(now(harness)).toBeNull();
  });

  test('an agent that waits at its terminal has its turn cancelled where the operator wants that, and is left alone where not', async () => {
    const harness = await running();
    await seen(harness, QUESTION);
    await harness.answer('leave');
    expect(harness.state().turns[1]?.cancelledBy).toBeNull();
    await seen(harness, QUESTION);
    expect(Object.keys(harness.state().gates)).toEqual(['1']);
    await seen(harness, { state: 'working' });
    await seen(harness, QUESTION);
    await harness.answer('end_turn');
    expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled' });
  });

  test('an answer at the gate is typed into the terminal of the agent, and a further question is asked', async () => {
    const harness = await running();
    await seen(harness, QUESTION);
    expect(harness.state().gates[1]?.options.map(({ id }) => id)).toEqual([
      'type',
      'keys',
      'leave',
      'end_turn',
    ]);
    await harness.answer('type', { text: 'yes' });
    expect(harness.agents.typed).toEqual(['line yes']);
    // The screen still shows the question for a moment.
    await seen(harness, QUESTION);
    expect(Object.keys(harness.state().gates)).toEqual(['1']);
    harness.clock.advance(TYPED_ANSWER_MS);
    await seen(harness, { ...QUESTION, screen: 'Which folder?' });
    expect(harness.state().gates[2]).toMatchObject({ status: 'open', evidence: 'Which folder?' });
    await harness.answer('keys', { text: 'down enter' });
    expect(harness.agents.typed).toEqual(['line yes', 'keys down enter']);
  });

  test('a question in a terminal that becomes another one is asked again as it stands, once the screen stands still', async () => {
    const harness = await running();
    await seen(harness, QUESTION);
    for (let look = 0; look < 3; look += 1) {
      harness.clock.advance(SCREEN_STILL_MS - 1);
      await seen(harness, { ...QUESTION, screen: `drawing ${look}` });
    }
    expect(Object.keys(harness.state().gates)).toEqual(['1']);
    for (let look = 0; look < 3; look += 1) {
      await seen(harness, { ...QUESTION, screen: 'Which folder?' });
      harness.clock.advance(SCREEN_STILL_MS);
    }
    expect(Object.values(harness.state().gates)).toMatchObject([
      { status: 'withdrawn', reason: 'Its terminal shows something else now.' },
      { status: 'open', evidence: 'Which folder?' },
    ]);
  });

  test('an agent that waits at its terminal asks the same, once, over a restart of the core', async () => {
    const harness = await running();
    await seen(harness, QUESTION);
    await harness.restart();
    await seen(harness, QUESTION);
    expect(Object.values(harness.state().gates)).toMatchObject([{ status: 'open' }]);
    await seen(harness, { state: 'working' });
    expect(harness.state().gates[1]?.status).toBe('withdrawn');
  });
});

describe('an agent without a sign of life', () => {
  const reason = 'no sign of life since it printed something';

  test('a silent agent is reported with the reason, and one that seems stalled rings in the inbox, once, until it works', async () => {
    const harness = await running();
    await seen(harness, { state: 'unknown', since: 400, reason });
    for (let look = 0; look < 3; look += 1) await seen(harness, { state: 'stalled', since: 400, reason });
    expect(told(harness)).toMatchObject([
      { type: 'session.observed', state: 'unknown', since: 400 },
      { type: 'session.observed', state: 'stalled', since: 400 },
      {
        type: 'gate.opened',
        kind: 'agent_silent',
        sessionId: 1,
        turnId: 1,
        activationId: 1,
        title: 'Fake seems stalled',
        evidence: reason,
      },
    ]);
    expect(now(harness)).toMatchObject({ turnId: 1, state: 'stalled', since: 400 });
    // The runner of an unattended agent keeps waiting for it.
    expect(runStatus(harness.state())).toBe('running');
    await seen(harness, { state: 'working' });
    expect(now(harness)).toBeNull();
    expect(harness.state().gates[1]).toMatchObject({ status: 'withdrawn', reason: 'The agent has gone on.' });
  });

  test('a silent agent rings after a while where it is not known whether it works, and once in one silence', async () => {
    const harness = await running();
    for (let at = 0; at < SILENT_AGENT_MS + 2 * QUIET_AGENT_MS; at += QUIET_AGENT_MS) {
      expect(Object.keys(harness.state().gates)).toEqual(at > SILENT_AGENT_MS ? ['1'] : []);
      harness.clock.advance(QUIET_AGENT_MS);
      await harness.idle();
    }
    expect(harness.state().gates[1]).toMatchObject({ kind: 'agent_silent', title: 'Fake is silent' });
    await harness.answer('leave');
    harness.clock.advance(QUIET_AGENT_MS);
    await harness.idle();
    expect(Object.keys(harness.state().gates)).toEqual(['1']);
    expect(harness.state().turns[1]?.cancelledBy).toBeNull();
  });

  test('a silent agent rings after the limit of its profile, and is not ended', async () => {
    const harness = new Harness();
    harness.agents.answer = () => null;
    const fake = { ...fakeProfile, silence_minutes: 60 };
    await harness.run({ steps: [task('a')] }, { profiles: { fake } });
    for (let minute = 0; minute <= 66; minute += 3) {
      expect(Object.keys(harness.state().gates)).toEqual(minute >= 60 ? ['1'] : []);
      harness.clock.advance(QUIET_AGENT_MS);
      await harness.idle();
    }
    expect(harness.state().turns[1]?.status).toBe('in_flight');
  });

  test('a silent agent does not ring because the machine slept', async () => {
    const harness = await running();
    harness.clock.advance(10 * SILENT_AGENT_MS);
    await harness.idle();
    harness.clock.advance(QUIET_AGENT_MS);
    await harness.idle();
    expect(now(harness)).toMatchObject({ reason: 'nothing came since the machine was awake again' });
    expect(harness.state().gates).toEqual({});
  });

  test('a silent agent has its turn cancelled where the operator wants that', async () => {
    const harness = await running();
    await seen(harness, { state: 'stalled', since: 400, reason });
    await harness.answer('end_turn');
    expect(harness.state().turns[1]).toMatchObject({ status: 'cancelled' });
    expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  });

  test('a silent agent gets the same prompt again in a new turn of its session where the operator restarts it', async () => {
    const harness = await running();
    await seen(harness, { state: 'stalled', since: 400, reason });
    harness.agents.answer = () => ({ response: 'Here it is.' });
    await harness.answer('restart');
    const { turns, sessions, status, outcome } = harness.state();
    expect(turns[1]).toMatchObject({ status: 'cancelled', restarts: true });
    expect(turns[2]).toMatchObject({
      sessionId: 1,
      kind: turns[1]?.kind,
      prompt: turns[1]?.prompt,
      resendOf: 1,
      status: 'completed',
    });
    expect(Object.keys(sessions)).toEqual(['1']);
    expect([status, outcome]).toEqual(['finished', 'succeeded']);
  });

  test('a prompt of the operator that is restarted is sent again once', async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('a')] });
    harness.agents.answer = () => null;
    const prompt = { promptId: 1, sessionId: 1, text: 'And?', attachments: [], by: 'test' };
    await harness.engine.command(1, () =>
      ok([
        { type: 'run.reopened', by: 'test' },
        { type: 'prompt.queued', ...prompt },
      ]),
    );
    await harness.idle();
    const turnId = harness.state().last.turn;
    await seen(harness, { state: 'stalled', since: 400, reason });
    harness.agents.answer = () => ({ response: 'Here it is.' });
    await harness.answer('restart');
    expect(harness.state().turns[turnId + 1]).toMatchObject({ resendOf: turnId, status: 'completed' });
  });
});

test('an agent that sends nothing for long does not count as working until it sends something', async () => {
  const harness = await running();
  harness.clock.advance(QUIET_AGENT_MS - 1000);
  harness.agents.sent[0]?.says('still here');
  harness.clock.advance(QUIET_AGENT_MS - 1000);
  await harness.idle();
  expect(told(harness)).toEqual([]);
  harness.clock.advance(2000);
  await harness.idle();
  const reason = 'nothing came since its last update';
  expect(now(harness)).toMatchObject({ state: 'unknown', since: 1_000 + QUIET_AGENT_MS - 1000, reason });
  harness.clock.advance(2 * QUIET_AGENT_MS);
  harness.agents.sent[0]?.says('done');
  await harness.idle();
  expect(now(harness)).toBeNull();
  expect(told(harness).map((event) => 'state' in event && event.state)).toEqual(['unknown', 'working']);
});

test('a session that observes its agent by itself is not asked for a sign of life more often where there is none', async () => {
  const harness = await running();
  await seen(harness, { state: 'working' });
  const { at } = harness.clock;
  let timers = 0;
  harness.clock.at = (due, run) => {
    timers += 1;
    return at(due, run);
  };
  for (let minute = 0; minute < 30; minute += 1) {
    await seen(harness, { state: 'unknown', since: 1_000, reason: 'nothing' });
    for (let tenth = 0; tenth < 10; tenth += 1) harness.clock.advance(6_000);
  }
  expect(timers).toBeLessThanOrEqual(10);
});

test('the newest observation during a full disk is told once', async () => {
  const harness = await running();
  harness.log.failing = 1_000;
  for (let look = 0; look < 10; look += 1) {
    await seen(harness, QUESTION);
    await seen(harness, { state: 'stalled', since: 400, reason: 'quiet' });
  }
  harness.logged.length = 0;
  harness.clock.advance(250);
  await harness.idle();
  expect(harness.logged).toHaveLength(1);
  harness.log.failing = 0;
  harness.clock.advance(10_000);
  await harness.idle();
  expect(told(harness)).toMatchObject([
    { type: 'session.observed', state: 'stalled' },
    { type: 'gate.opened', kind: 'agent_silent' },
  ]);
});

test('a session that observes its agent by itself is believed', async () => {
  const harness = await running();
  await seen(harness, { state: 'working' });
  harness.clock.advance(3 * QUIET_AGENT_MS);
  await harness.idle();
  expect(told(harness)).toEqual([]);
});
