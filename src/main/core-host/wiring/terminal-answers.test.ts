import { deliveryTargetSchema } from '@areas/deliveries/contract/target';
import { AnswerService } from '@areas/deliveries/node/answer-service';
import { answerRoute } from '@areas/deliveries/node/routes/answer-route';
import { gateRow } from '@areas/gates/contract/testing/gate-row';
import { GateService } from '@areas/gates/node/gate-service';
import { gateRoutes } from '@areas/gates/node/routes';
import type { PermissionRules } from '@areas/permissions/node/permission-rules';
import { ok } from '@contract/result';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { CoreService } from '../../api/core-service';
import type { Route } from '../../api/http/route';
import { runRow } from '../../api/testing/run-row';
import { Harness, task } from '../../core/engine/testing/harness';
import type { Store } from '../../core/ports/store/store';
import { createRouter, type Handlers } from '../../services/router';

const SCREEN = 'rm -r build? (y/n)';

/** A run whose agent waits for an answer in its terminal, behind the HTTP API and a delivery target. */
async function waiting() {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [task('a')] });
  harness.agents.sent.at(-1)?.seen({ state: 'waits', since: 1, reason: 'asks', screen: SCREEN });
  await harness.idle();
  const found = (_: number, gateId: number) => {
    const gate = harness.state().gates[gateId];
    return gate === undefined ? null : { ...gateRow(gate), runId: 1, event: 7 };
  };
  const store = double<Store>({ gate: found, runByUid: () => ({ id: 1, binnedAt: null }) });
  const gates = new GateService({
    engine: harness.engine,
    store,
    rules: {} as PermissionRules,
    state: () => harness.state(),
    confirm: async () => ok(undefined),
    changed: () => undefined,
  });
  const target = deliveryTargetSchema.parse({
    kind: 'webhook',
    id: 'hook',
    name: 'Phone',
    url: 'https://hook.example/',
    answers: 'everything',
  });
  const answers = new AnswerService({
    store,
    gates,
    targets: () => [target],
    keys: { signing: async () => 'a'.repeat(64), known: () => ['a'.repeat(64)] },
    now: () => 1,
    address: async () => 'http://127.0.0.1:7000',
  });
  const handlers: Partial<Handlers> = {
    'run.find': () => ok(runRow()),
    'gate.list': () => ok([found(1, 1)].flatMap((row) => row ?? [])),
    'gate.resolve': (input) => gates.resolve(input),
    'delivery.answer': (input) => answers.answer(input),
  };
  const quiet = () => undefined;
  const logger = { info: quiet, warn: quiet, error: quiet };
  const core = double<CoreService>({ call: createRouter(handlers as Handlers, logger, quiet) });
  const send = async (route: Route | undefined, body: object) => {
    const reply = await route?.handle({ core, words: { run: '1', gate: '1' }, query: {}, body });
    await harness.idle();
    return reply;
  };
  return { harness, answers, target, send, row: () => found(1, 1) };
}

const routeOf = (method: string, path: string) =>
  gateRoutes.find((one) => one.method === method && one.path === path);
const POST_GATE = routeOf('POST', '/gates/:run/:gate');

test('a question in a terminal is listed over HTTP with its screen, and an answer there is typed', async () => {
  const { harness, send } = await waiting();
  const listed = await send(routeOf('GET', '/gates'), {});
  expect(JSON.stringify(listed)).toContain(SCREEN);
  expect(await send(POST_GATE, { option: 'type' })).toMatchObject({ ok: false });
  expect(harness.agents.typed).toEqual([]);
  expect(await send(POST_GATE, { option: 'type', text: 'yes' })).toMatchObject({ ok: true });
  expect(harness.agents.typed).toEqual(['line yes']);
  expect(await send(POST_GATE, { option: 'type', text: 'yes' })).toMatchObject({ ok: false });
  expect(harness.agents.typed).toEqual(['line yes']);
});

test('a delivered question in a terminal is answered with its token: words are typed, keys pressed, once', async () => {
  const { harness, answers, target, send, row } = await waiting();
  const gate = row();
  if (gate === null) throw new Error('no gate');
  const offer = await answers.offer(target, gate, { runUid: '01RUN', queuedAt: 0 });
  expect(offer?.options).toEqual(['type', 'keys', 'leave', 'end_turn']);
  const answer = { token: offer?.token, option: 'keys', text: 'down enter' };
  expect(await send(answerRoute, { ...answer, text: undefined })).toMatchObject({ ok: false });
  expect(await send(answerRoute, answer)).toMatchObject({ ok: true });
  // Its reply may have been lost.
  expect(await send(answerRoute, answer)).toMatchObject({ ok: true });
  expect(harness.agents.typed).toEqual(['keys down enter']);
  expect(harness.state().gates[1]).toMatchObject({ status: 'resolved', by: 'Phone (delivery target)' });
});
