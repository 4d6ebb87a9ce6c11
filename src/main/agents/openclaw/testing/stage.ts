import { agentProfileSchema, type OpenclawProfile } from '@areas/agents/contract/profile';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { Result } from '@contract/result';
import { afterEach, expect } from 'vitest';
import { createClock } from '../../../adapters/system/clock';
import type { Seen, Session, SessionSpec, TurnResult } from '../../../core/ports/ports';
import { createOpenclawAgent } from '../index';
import { defaultLimits, type OpenclawLimits } from '../limits';
import { FakeGateway, type FakeOptions } from './fake-gateway';
import type { Plan } from './plan';

export const TOKEN = 'token-of-the-test';
export const KEY = '01KTESTRUN/s1';
export const quick: OpenclawLimits = {
  ...defaultLimits,
  pauseMs: [2, 20],
  waitMs: 200,
  lateMs: 20,
};

const opened: Session[] = [];
const gateways: FakeGateway[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
  const faults = gateways.flatMap((gateway) => gateway.faults);
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  // Everything sent by either side conforms to the published schema.
  expect(faults).toEqual([]);
});

export async function gatewayWith(options: FakeOptions = {}): Promise<FakeGateway> {
  const gateway = await FakeGateway.start({ token: TOKEN, ...options });
  gateways.push(gateway);
  return gateway;
}

export const profileAt = (base_url: string, more: object = {}): OpenclawProfile =>
  agentProfileSchema.parse({
    kind: 'gateway',
    id: 'claw',
    name: 'Claw',
    api: 'openclaw',
    base_url,
    api_key_secret: 'CLAW_TOKEN',
    ...more,
  }) as OpenclawProfile;

interface Stage {
  readonly profile?: object;
  readonly spec?: Partial<SessionSpec>;
  readonly limits?: Partial<OpenclawLimits>;
  readonly secrets?: Readonly<Record<string, string>>;
}

export async function open(
  url: string,
  { profile, spec, limits, secrets }: Stage = {},
): Promise<{ result: Result<Session>; items: TranscriptItem[]; observed: Seen[] }> {
  const items: TranscriptItem[] = [];
  const observed: Seen[] = [];
  const agent = createOpenclawAgent({
    secret: (name) => ({ CLAW_TOKEN: TOKEN, ...secrets })[name] ?? null,
    clock: createClock(),
    files: {
      readBytes: async (path) => ({ ok: true, value: new TextEncoder().encode(`bytes of ${path}`) }),
    },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    limits: { ...quick, ...limits },
  });
  const result = await agent.open(
    {
      runId: 1,
      sessionId: 1,
      key: KEY,
      profile: profileAt(url, profile),
      model: null,
      mode: null,
      env: {},
      cwd: '/nowhere',
      projectPath: '/nowhere',
      artifactsDir: '/nowhere',
      resume: null,
      ...spec,
    },
    {
      items: (_, more) => items.push(...more),
      observed: (_, seen) => observed.push(seen),
      permission: async () => ({ allow: false, always: false, reason: null }),
      lost: (reason) => expect.fail(`lost: ${reason}`),
    },
  );
  if (result.ok) opened.push(result.value);
  return { result, items, observed };
}

export async function session(
  gateway: FakeGateway,
  stage: Stage = {},
): Promise<{ session: Session; items: TranscriptItem[]; observed: Seen[] }> {
  const { result, items, observed } = await open(gateway.url, stage);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { session: result.value, items, observed };
}

export const ask = (to: Session, prompt: string, turnId = 1): Promise<TurnResult> =>
  to.turn({ turnId, prompt, attachments: [] });

export const textOf = (items: readonly TranscriptItem[]): string =>
  items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('');

export const noticesOf = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) => (item.type === 'notice' ? [item.text] : []));

export function promised(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Resolves when the gateway has received this many requests of the method. */
export async function asked(gateway: FakeGateway, method: string, times = 1): Promise<void> {
  while (gateway.requests.filter((request) => request.method === method).length < times) {
    await new Promise((next) => setImmediate(next));
  }
}

export const said = (text: string): Plan => ({ steps: [{ say: text }] });
