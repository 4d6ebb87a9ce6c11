import type { GateAnswer, GateKind } from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import type { Store } from '@main/core/ports/store/store';
import { ANSWERABLE_MS } from '@main/limits/core';
import { beforeEach, expect, test } from 'vitest';
import { type DeliveryTarget, deliveryTargetSchema } from '../contract/target';
import { AnswerService } from './answer-service';
import { readToken, signAnswer } from './answer-token';

const KEY = 'a'.repeat(64);
const OTHER_KEY = 'b'.repeat(64);
const START = 1_700_000_000_000;

/** Gates of run 12, and the effect of resolving them. */
class World {
  now = START;
  keys = [KEY];
  /** Answers that reached a gate. */
  readonly given: { gateId: number; answer: GateAnswer; by: string }[] = [];
  readonly rows = new Map<number, GateRow>();
  target: DeliveryTarget = deliveryTargetSchema.parse({
    kind: 'webhook',
    id: 'hook',
    name: 'Phone',
    url: 'https://hook.example/',
  });
  address: string | null = 'http://127.0.0.1:7000';
  readonly service = new AnswerService({
    store: {
      runByUid: (uid) => (uid === '01RUN' ? { id: 12, binnedAt: null } : null),
      gate: (runId, gateId) => (runId === 12 ? (this.rows.get(gateId) ?? null) : null),
    } as Pick<Store, 'runByUid' | 'gate'>,
    gates: {
      resolve: async ({ gateId, answer, by }) => {
        const row = this.gate(gateId);
        if (row.status !== 'open') return err(appError('gate.already_resolved', 'the gate was answered'));
        this.given.push({ gateId, answer, by });
        return ok(this.put(gateId, { status: 'resolved', answer, by }));
      },
    },
    targets: () => [this.target],
    keys: { signing: async () => this.keys[0] ?? '', known: () => this.keys },
    now: () => this.now,
    address: async () => this.address,
  });

  gate(gateId: number): GateRow {
    const row = this.rows.get(gateId);
    if (row === undefined) throw new Error(`no gate ${gateId}`);
    return row;
  }

  put(gateId: number, more: Partial<GateRow> = {}): GateRow {
    const row = { ...(this.rows.get(gateId) ?? opened(gateId)), ...more };
    this.rows.set(gateId, row);
    return row;
  }

  async token(gateId = 1): Promise<string> {
    const offer = await this.service.offer(this.target, this.gate(gateId), {
      runUid: '01RUN',
      queuedAt: START,
    });
    if (offer === null) throw new Error('nothing was offered');
    return offer.token;
  }
}

const option = (id: string, tone: 'approve' | 'reject' = 'approve') => ({
  id,
  label: `Do ${id}`,
  effect: '',
  tone,
});
const opened = (gateId: number): GateRow => ({
  runId: 12,
  runName: 'night',
  gateId,
  kind: 'iteration_blocked',
  status: 'open',
  event: 100 + gateId,
  stepId: 'loop',
  stepTitle: 'Loop',
  agent: null,
  sessionId: null,
  title: 'Blocked',
  message: '',
  evidence: null,
  request: null,
  options: [option('continue'), option('stop', 'reject')],
  why: null,
  openedAt: START,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
});

let world: World;
beforeEach(() => {
  world = new World();
  world.put(1);
  world.put(2);
});
const refused = (code: string) => ({ ok: false, error: { code } });

test('an answer with its token resolves the gate once, and says which target answered', async () => {
  const token = await world.token();
  const text = '$ARGUMENTS `id` <b>not scanned</b>\nsecond line';
  const told = await world.service.answer({ token, option: 'continue', text });
  expect(told).toEqual(
    ok({
      gate: '12/1',
      title: 'Blocked',
      option: 'continue',
      label: 'Do continue',
      by: 'Phone (delivery target)',
    }),
  );
  expect(world.given).toEqual([
    { gateId: 1, answer: { option: 'continue', text }, by: 'Phone (delivery target)' },
  ]);
  // The reply was lost: the same answer gets the same reply, and changes nothing.
  expect(await world.service.answer({ token, option: 'continue', text })).toEqual(told);
  // A different answer with the used token is refused.
  expect(await world.service.answer({ token, option: 'stop' })).toMatchObject(refused('answer.used'));
  expect(await world.service.answer({ token, option: 'continue', text: 'x' })).toMatchObject(
    refused('answer.used'),
  );
  expect(world.given).toHaveLength(1);
});

test('the same answer sent twice at once resolves the gate once and is told twice', async () => {
  const token = await world.token();
  const both = await Promise.all([1, 2].map(() => world.service.answer({ token, option: 'continue' })));
  expect(both[0]).toEqual(both[1]);
  expect(both[0]).toMatchObject({ ok: true });
  expect(world.given).toHaveLength(1);
});

test('a token whose payload, signature or key was changed is refused and changes nothing', async () => {
  const token = await world.token();
  const [prefix, id, body = '', mac = ''] = token.split('.');
  const claim = JSON.parse(Buffer.from(body, 'base64url').toString());
  const swapped = Buffer.from(JSON.stringify({ ...claim, gate: 2, event: 102 })).toString('base64url');
  const later = Buffer.from(JSON.stringify({ ...claim, expiresAt: START * 2 })).toString('base64url');
  const forged = [
    [prefix, id, swapped, mac].join('.'),
    [prefix, id, later, mac].join('.'),
    [prefix, id, body, `${mac.slice(0, -2)}${mac.endsWith('A') ? 'BB' : 'AA'}`].join('.'),
    [prefix, id, body].join('.'),
    signAnswer(claim, OTHER_KEY),
    signAnswer(claim, OTHER_KEY).replace(/\.[0-9a-f]{8}\./, `.${id}.`),
    `${token}.x`,
    ' ',
    '__proto__',
    'muster1.00000000.constructor.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ];
  for (const one of forged) {
    expect(await world.service.answer({ token: one, option: 'continue' }), one).toMatchObject(
      refused('answer.invalid'),
    );
  }
  expect(world.given).toEqual([]);
});

test('a signature in another spelling of the same bytes is no signature', async () => {
  const token = await world.token();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  // The last of 43 characters contains two bits that decode to nothing.
  const same = `${token.slice(0, -1)}${alphabet[last ^ 1]}`;
  expect(Buffer.from(same.slice(-43), 'base64url')).toEqual(Buffer.from(token.slice(-43), 'base64url'));
  expect(readToken(same, [KEY])).toEqual({ kind: 'forged' });
  expect(readToken(token, [KEY])).toMatchObject({ kind: 'good' });
});

test('a token expires, and none is made for a delivery that is older than that', async () => {
  const token = await world.token();
  world.now = START + ANSWERABLE_MS;
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(refused('answer.expired'));
  expect(
    await world.service.offer(world.target, world.gate(1), { runUid: '01RUN', queuedAt: START }),
  ).toBeNull();
  expect(world.given).toEqual([]);
});

test('an option that was not offered is refused, whatever it is called', async () => {
  const token = await world.token();
  for (const wanted of ['approve', 'constructor', '__proto__', 'toString', 'Do continue', '']) {
    expect(await world.service.answer({ token, option: wanted })).toMatchObject(refused('gate.bad_answer'));
  }
  expect(world.given).toEqual([]);
});

test('a question that was withdrawn, asked again or removed with its run is not answered', async () => {
  const token = await world.token();
  world.put(1, { status: 'withdrawn' });
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(
    refused('answer.withdrawn'),
  );
  world.put(1, { status: 'open', event: 300 });
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(refused('not_found'));
  world.rows.clear();
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(refused('not_found'));
  const claim = { run: '01OTHER', gate: 2, event: 102, target: 'hook', options: ['continue'] };
  const elsewhere = signAnswer({ ...claim, expiresAt: START + 1 }, KEY);
  expect(await world.service.answer({ token: elsewhere, option: 'continue' })).toMatchObject(
    refused('not_found'),
  );
  expect(world.given).toEqual([]);
});

test('an answer that the operator gave first is reported, and counts', async () => {
  const token = await world.token();
  world.put(1, { status: 'resolved', answer: { option: 'continue' }, by: 'operator' });
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject({
    ok: false,
    error: {
      code: 'answer.used',
      message: 'the question was already answered with "Do continue" by operator',
    },
  });
});

test('permissions and merges carry a token only where the operator allows it at the target', async () => {
  const offered = async (kind: GateKind) => {
    const gate = world.put(1, { kind, options: [option('allow'), option('allow_rule'), option('deny')] });
    return world.service.offer(world.target, gate, { runUid: '01RUN', queuedAt: START });
  };
  const guarded: GateKind[] = ['permission', 'merge', 'terminal_question'];
  for (const kind of guarded) expect(await offered(kind)).toBeNull();
  expect(await offered('iteration_blocked')).not.toBeNull();
  world.target = { ...world.target, answers: 'everything' };
  // Standing rules are made only in Muster.
  for (const kind of guarded) expect(await offered(kind)).toMatchObject({ options: ['allow', 'deny'] });
  const token = await world.token();
  // Withdrawn since.
  world.target = { ...world.target, answers: 'questions' };
  expect(await world.service.answer({ token, option: 'allow' })).toMatchObject(refused('answer.not_allowed'));
  world.target = { ...world.target, answers: 'none' };
  expect(await offered('iteration_blocked')).toBeNull();
  expect(world.given).toEqual([]);
});

test('a target that was removed or switched off answers nothing, and there is no token without an HTTP API', async () => {
  const token = await world.token();
  world.target = { ...world.target, enabled: false };
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(
    refused('answer.not_allowed'),
  );
  world.target = { ...world.target, enabled: true, id: 'other' };
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(
    refused('answer.not_allowed'),
  );
  world.address = null;
  expect(
    await world.service.offer(world.target, world.gate(1), { runUid: '01RUN', queuedAt: START }),
  ).toBeNull();
});

test('a token of another key that this core holds counts; of one that it does not hold the error says so', async () => {
  const token = await world.token();
  world.keys = [OTHER_KEY];
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject({
    error: { code: 'answer.invalid', message: 'this token was signed with a key that is not available here' },
  });
  world.keys = [OTHER_KEY, KEY];
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject({ ok: true });
});

test('a flood of forged tokens is refused, and blocks no right one', async () => {
  const token = await world.token();
  const codes: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    const told = await world.service.answer({ token: `no ${count}`, option: 'continue' });
    if (!told.ok) codes.push(told.error.code);
  }
  expect(codes.filter((code) => code === 'answer.invalid')).toHaveLength(20);
  expect(codes.at(-1)).toBe('answer.too_many');
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject({ ok: true });
  for (let count = 0; count < 30; count += 1) await world.service.answer({ token, option: 'continue' });
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject(refused('answer.too_many'));
  expect(await world.service.answer({ token: await world.token(2), option: 'continue' })).toMatchObject({
    ok: true,
  });
  world.now += 60_000;
  expect(await world.service.answer({ token, option: 'continue' })).toMatchObject({ ok: true });
  expect(world.given).toHaveLength(2);
});
