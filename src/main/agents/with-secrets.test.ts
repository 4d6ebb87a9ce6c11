import { agentProfileSchema } from '@areas/agents/contract/profile';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { AgentPort, Seen, Session, SessionListener, SessionSpec, TurnResult } from '../core/ports/ports';
import type { Redactor } from './redact';
import { withSecrets } from './with-secrets';

const KEY = 'sk-live-1234567890';
const HASH = `hash of ${KEY}`;

const result: TurnResult = {
  outcome: 'completed',
  stopReason: 'end_turn',
  response: `KEY=${KEY}`,
  usage: null,
  error: appError('agent.failed', `with ${KEY}`),
  limitResetsAt: null,
  commands: [{ command: `echo ${KEY}`, exitCode: 0, outputTail: KEY }],
};

/** An agent that leaks its environment in every possible way. */
const talker = (heard: SessionSpec[]): AgentPort => {
  const session = (listener: SessionListener): Session => ({
    ready: {
      providerSessionId: 'P',
      agent: 'Talker',
      fresh: true,
      notice: `started with ${KEY}`,
      capabilities: { resume: false, cancel: true, permissions: true, images: false, embeddedFiles: false },
    },
    async turn({ turnId }) {
      listener.items(turnId, [{ type: 'text', text: `KEY=${KEY.slice(0, 9)}` }]);
      listener.items(turnId, [{ type: 'text', text: `${KEY.slice(9)}, bye s` }]);
      listener.observed?.(turnId, { state: 'waits', since: 5, reason: `may it use ${KEY}?`, screen: KEY });
      const request = { tool: 'bash', title: KEY, kind: 'execute', diffs: [], command: KEY, hash: HASH };
      await listener.permission(turnId, request);
      return result;
    },
    cancel: async () => undefined,
    park: async () => undefined,
    close: async () => undefined,
  });
  return {
    kind: 'scripted',
    async open(spec, listener) {
      heard.push(spec);
      return spec.resume === null ? ok(session(listener)) : err(appError('agent.failed', `no ${KEY}`));
    },
    async reattach(_spec, past, listener) {
      const one = session(listener);
      const request = { turnId: past.turn?.turnId ?? 0, prompt: '', attachments: [] };
      return ok({ session: one, turn: { kind: 'goes_on', follow: () => one.turn(request) } });
    },
  };
};

function stage(secrets: readonly string[]) {
  const items: TranscriptItem[] = [];
  const asked: PermissionRequest[] = [];
  const seen: Seen[] = [];
  const specs: SessionSpec[] = [];
  const profile = agentProfileSchema.parse({ kind: 'scripted', id: 'a', name: 'A', script: 's', secrets });
  const spec: SessionSpec = {
    runId: 1,
    sessionId: 1,
    key: 'k',
    profile,
    model: null,
    mode: null,
    env: {},
    cwd: '/w',
    projectPath: '/p',
    artifactsDir: '/a',
    resume: null,
  };
  const listener: SessionListener = {
    items: (_turn, some) => void items.push(...some),
    permission: async (_turn, request) => {
      asked.push(request);
      return { allow: true, always: false, reason: null };
    },
    observed: (_turn, what) => void seen.push(what),
    lost: () => undefined,
  };
  const redactors = new Map<string, Redactor>();
  const read = (name: string) => (name === 'MODEL_KEY' ? KEY : null);
  const agent = withSecrets(talker(specs), { read, redactors });
  return { agent, redactors, spec, listener, items, asked, seen, specs };
}

const turn = { turnId: 7, prompt: 'p', attachments: [] };
const past = { providerSessionId: null, agent: null, capabilities: null, notice: null, turn };

test('an agent is given its secret, and nothing that it says contains the secret', async () => {
  const { agent, redactors, spec, listener, items, asked, seen, specs } = stage(['MODEL_KEY']);
  const opened = await agent.open(spec, listener);
  if (!opened.ok) throw new Error('not opened');
  expect(specs[0]?.env).toEqual({ MODEL_KEY: KEY });
  expect(opened.value.ready.notice).toBe('started with ***');
  expect(await opened.value.turn(turn)).toEqual({
    ...result,
    response: 'KEY=***',
    error: appError('agent.failed', 'with ***'),
    commands: [{ command: 'echo ***', exitCode: 0, outputTail: '***' }],
  });
  expect(items.map((item) => (item.type === 'text' ? item.text : '')).join('')).toBe('KEY=***, bye s');
  expect(asked).toMatchObject([{ title: '***', command: '***', hash: HASH }]);
  expect(seen).toEqual([{ state: 'waits', since: 5, reason: 'may it use ***?', screen: '***' }]);
  const refused = await agent.open({ ...spec, resume: { providerSessionId: null, turns: [] } }, listener);
  expect(refused).toMatchObject({ error: { message: 'no ***' } });
  expect(redactors.get('k')?.deep({ message: [KEY] })).toEqual({ message: ['***'] });
});

test('a turn that is followed again says nothing of a secret', async () => {
  const { agent, spec, listener, items } = stage(['MODEL_KEY']);
  const found = await agent.reattach?.(spec, { ...past, turn: { ...turn, streamed: [] } }, listener);
  if (!found?.ok || found.value.turn?.kind !== 'goes_on') throw new Error('not found');
  expect((await found.value.turn.follow()).response).toBe('KEY=***');
  expect(JSON.stringify(items)).not.toContain(KEY.slice(0, 9));
});

test('an agent without secrets is not wrapped', async () => {
  const { agent, spec, listener, items } = stage([]);
  const opened = await agent.open(spec, listener);
  if (!opened.ok) throw new Error('not opened');
  expect((await opened.value.turn(turn)).response).toBe(`KEY=${KEY}`);
  expect(items).toHaveLength(2);
});

test('An agent whose secret is not set is not started, and the error names the secret', async () => {
  const heard: SessionSpec[] = [];
  const profile = agentProfileSchema.parse({
    kind: 'acp',
    id: 'a',
    name: 'Ana',
    command: 'a',
    secrets: ['SET', 'UNSET', 'IN_ENV'],
    env: { IN_ENV: 'x' },
  });
  const agent = withSecrets(talker(heard), {
    read: (name) => (name === 'SET' ? KEY : null),
    redactors: new Map<string, Redactor>(),
  });
  const spec = double<SessionSpec>({ key: 'k', profile, env: {}, resume: null });
  expect(await agent.open(spec, {} as SessionListener)).toMatchObject({
    ok: false,
    error: { code: 'secret.missing', message: 'Ana was not started: UNSET is not set.' },
  });
  expect(heard).toEqual([]);
});
