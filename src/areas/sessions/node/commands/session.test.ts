import { appError } from '@contract/errors';
import { FakeCore } from '@main/api/testing/fake-core';
import { EXIT } from '@main/cli/exit';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { row } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

const session = (id: number, status = 'ready') => ({ id, status, profileId: 'codex', turnIds: [] });
const prompt = (id: number, sessionId: number, status: string) => ({
  id,
  sessionId,
  status,
  text: `prompt ${id}\nmore`,
  attachments: [],
  at: 1,
  turnId: null,
});

async function program(sessions: readonly { id: number }[], ...args: string[]) {
  const state = {
    seq: 7,
    turns: {},
    gates: {},
    timers: {},
    sessions: Object.fromEntries(sessions.map((one) => [one.id, one])),
    prompts: { 1: prompt(1, 1, 'queued'), 2: prompt(2, 1, 'sent'), 3: prompt(3, 2, 'queued') },
  };
  const core = new FakeCore({
    'run.find': ({ name }: { name: string }) =>
      name === '1' ? row : { ok: false, error: appError('not_found', `there is no run ${name}`) },
    'run.get': () => ({ row, state }),
    'session.prompt': () => ({ promptId: 4 }),
    'session.withdrawPrompt': () => ({}),
    'session.cancelTurn': () => ({}),
    'session.park': () => ({}),
  });
  const { world, said } = fakeWorld(['session', ...args], new FakeLink(core));
  const code = await runProgram(world);
  const acts = core.calls.filter(({ name }) => name.startsWith('session.'));
  return { code, ...said, acts };
}

const place = { runId: 1, sessionId: 1 };

test.each([
  [['say', '1', 'Go on'], 'session.prompt', { ...place, text: 'Go on', attachments: [] }],
  [['say', '1/2', '-'], 'session.prompt', { sessionId: 2, text: 'from the standard input' }],
  [['say', '1', 'See', '--attach', 'a.png'], 'session.prompt', { attachments: ['/work/a.png'] }],
  [['withdraw', '1', '3'], 'session.withdrawPrompt', { runId: 1, promptId: 3 }],
  [['interrupt', '1'], 'session.cancelTurn', place],
  [['park', '1/1'], 'session.park', place],
])('`muster session %j` does it once, in the session of the run', async (args, name, wish) => {
  const { code, err, acts } = await program([session(1), session(2, 'closed')], ...args);
  expect([code, err]).toEqual([EXIT.ok, '']);
  expect(acts).toEqual([{ name, input: expect.objectContaining(wish) }]);
});

test('the queue of a session shows only what was not sent yet', async () => {
  const { out } = await program([session(1)], 'queue', '1');
  expect(out).toMatch(/\n1 .* prompt 1\n$/);
  expect(out).not.toMatch(/prompt [23]/);
});

test.each([
  [['say', '1', 'x'], '1/1 (codex), 1/2 (codex)'],
  [['say', '1/9', 'x'], 'run 1 has no session 9'],
  [['say', '7', 'x'], 'there is no run 7'],
  [['say', '1/1', ' '], 'say needs a text'],
  [['withdraw', '1', 'first'], '"first" is not a prompt number'],
  [['dance', '1'], 'there is no verb "dance"'],
])('`muster session %j` changes nothing and says why', async (args, words) => {
  const { code, err, acts } = await program([session(1), session(2)], ...args);
  expect(code).not.toBe(EXIT.ok);
  expect([acts, err]).toEqual([[], expect.stringContaining(words)]);
});
