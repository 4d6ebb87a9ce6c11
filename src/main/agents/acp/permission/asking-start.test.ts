import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

test("a script asks in the operator's own checkout also before what it does past the client", async () => {
  const world = new World();
  const script = `{ default: { do: [ { run: { command: echo one } }, { read: { path: a.txt, via: direct } },
    { write: { path: a.txt, content: x, via: direct } } ] } }`;
  world.listener.answer = async () => ({ allow: false, always: false, reason: 'no' });
  const own = { cwd: world.project, ownCheckout: true };
  await (await world.open(script, { spec: own })).turn(prompt('x'));
  expect(world.listener.asked.map(({ tool }) => tool)).toEqual(['execute', 'edit']);
  expect(existsSync(join(world.project, 'a.txt'))).toBe(false);
});

const MODES = `{
  'session/new': () => ({ sessionId: 'S', modes: { currentModeId: 'agent',
    availableModes: ['agent', 'read-only'].map((id) => ({ id, name: id })) } }),
  'session/set_mode': ({ modeId }) => { globalThis.mode = modeId; return {}; },
  'session/prompt': () => { text(globalThis.mode + ' ' + process.env.OPENCODE_PERMISSION); return { stopReason: 'end_turn' }; },
}`;

test.each([
  ['codex-acp', 'workspace-write', 'read-only {"edit":"allow"}', 'The mode workspace-write is ignored'],
  ['opencode', undefined, 'undefined {"edit":"ask","bash":"ask","webfetch":"ask"}', null],
])(
  "the agent %s starts in the operator's own checkout so that it asks, whatever its profile says",
  async (...[name, mode, said, notice]) => {
    const world = new World();
    const env = { OPENCODE_PERMISSION: '{"edit":"allow"}' };
    const opened = await world.tryCommand(process.execPath, [...fakeAgent(MODES), name], {
      profile: { permissions: 'allow_all', env, ...(mode === undefined ? {} : { mode }) },
      spec: { ownCheckout: true },
    });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.ready.notice?.slice(0, notice?.length) ?? null).toBe(notice);
    expect((await opened.value.turn(prompt('x'))).response).toBe(said);
  },
);
