import { appError } from '@contract/errors';
import { member, TeamHarness } from '@features/team/core/testing/team';
import { expect, test } from 'vitest';
import type { TurnResult } from '../../ports/ports';
import { Harness, task } from '../testing/harness';

const DIED = "Muster's terminal host died";
const died: Partial<TurnResult> = {
  outcome: 'failed',
  stopReason: 'host_died',
  response: 'half of it',
  interrupted: DIED,
  error: appError('unavailable', `${DIED}.`),
};

async function runWhoseHostDies(onInterrupt?: string, times = 1): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = () => (harness.agents.sent.length <= times ? died : { response: 'whole' });
  await harness.run({ steps: [task('a', {}, onInterrupt ? { on_interrupt: onInterrupt } : {})] });
  return harness;
}

test('a turn whose host died is sent again in the resumed session where its step says on_interrupt: retry', async () => {
  const harness = await runWhoseHostDies('retry');
  const state = harness.state();
  expect(state).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(state.turns[1]).toMatchObject({
    status: 'interrupted',
    stopReason: DIED,
    response: 'half of it',
    hostDied: true,
    cutOffAfter: expect.any(Number),
  });
  expect(state.turns[2]).toMatchObject({ status: 'completed', resendOf: 1, sessionId: 1 });
  expect(harness.agents.opened.map(({ resume }) => resume?.providerSessionId ?? null)).toEqual([
    null,
    'provider-1',
  ]);
  expect(harness.agents.ended).toContain(`park ${harness.agents.opened[0]?.key}`);
});

test('the interruption and the loss of the session are one commit', async () => {
  const harness = await runWhoseHostDies('ask');
  const types = harness.events().map(({ type }) => type);
  const cut = types.indexOf('turn.interrupted');
  expect(types.slice(cut)).toEqual(['turn.interrupted', 'update.posted', 'session.lost', 'gate.opened']);
  // The start, the folder, the ready session, and this one.
  expect(harness.log.commits).toBe(4);
});

test('a turn whose host died is asked about where its step names no policy', async () => {
  const harness = await runWhoseHostDies();
  const [gate] = Object.values(harness.state().gates);
  expect(gate).toMatchObject({ status: 'open', kind: 'interrupted_turn', turnId: 1 });
  expect(gate?.message).toContain(DIED);
  await harness.answer('continue');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.state().turns[2]).toMatchObject({ kind: 'continue', resendOf: 1 });
});

test('a turn whose host died fails its step, not its agent, where that says on_interrupt: fail', async () => {
  const state = (await runWhoseHostDies('fail')).state();
  expect(state).toMatchObject({ status: 'finished', outcome: 'failed' });
  expect(state.activations[1]?.error).toMatchObject({ code: 'unavailable' });
});

test('a turn that kills its host each time is asked about after the third time', async () => {
  const harness = await runWhoseHostDies('retry', 99);
  expect(harness.agents.sent).toHaveLength(3);
  expect(harness.state().gates[1]).toMatchObject({ status: 'open', kind: 'interrupted_turn', turnId: 3 });
});

test('the session is taken up again only once nothing of its program lives', async () => {
  const harness = new Harness();
  let gone: () => void = () => undefined;
  harness.agents.lingers = new Promise((resolve) => {
    gone = resolve;
  });
  harness.agents.answer = () => (harness.agents.sent.length === 1 ? died : { response: 'whole' });
  await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
  expect(harness.agents.opened).toHaveLength(1);
  gone();
  await harness.idle();
  expect(harness.agents.opened).toHaveLength(2);
});

test('a turn that was being cancelled when its host died counts as cancelled', async () => {
  const harness = new Harness();
  harness.agents.heeds = false;
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
  await harness.cancel();
  harness.agents.sent[0]?.end(died);
  await harness.idle();
  expect(harness.agents.sent).toHaveLength(1);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
});

test('a start whose host died is tried again, at most three times, and is no failure of the agent', async () => {
  const harness = new Harness();
  let left = 2;
  harness.agents.refuse = () =>
    left-- > 0 ? appError('unavailable', `Fake was not started: ${DIED}.`) : null;
  await harness.run({ steps: [task('a')] });
  expect(harness.agents.opened).toHaveLength(3);
  expect(harness.state().outcome).toBe('succeeded');
  const hopeless = new Harness();
  hopeless.agents.refuse = () => appError('unavailable', 'no terminal host');
  await hopeless.run({ steps: [task('a')] });
  expect(hopeless.agents.opened).toHaveLength(3);
  expect(hopeless.state().activations[1]?.error?.code).toBe('unavailable');
});

test('the crash of the agent itself still fails its step', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed', error: appError('agent.crashed', 'it crashed') });
  await harness.run({ steps: [task('a', {}, { on_interrupt: 'retry' })] });
  expect(harness.state().activations[1]?.error?.code).toBe('agent.crashed');
});

test('a member of a team whose host died goes on with its round, and the others are not held up', async () => {
  const harness = new TeamHarness();
  harness.agents.answer = (turn) => (turn.request.prompt.includes('work of A') ? died : null);
  await harness.open({ members: [member('A', { iterative: true }), member('B', { iterative: true })] });
  const [gate] = Object.values(harness.state().gates);
  expect(gate).toMatchObject({ status: 'open', kind: 'interrupted_turn' });
  expect(harness.team.members.A).toMatchObject({ rounds: [{ round: 1, result: null }] });
  harness.agents.answer = () => ({ response: '<task-result status="completed">Made.</task-result>' });
  await harness.answer('resend', { gateId: gate?.id ?? 0 });
  expect(harness.team.members.A?.rounds).toMatchObject([{ round: 1, result: expect.any(Object) }]);
  expect(harness.state().turns[2]?.status).toBe('in_flight');
});
