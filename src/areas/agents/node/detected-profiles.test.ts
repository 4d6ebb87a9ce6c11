import { agentPresets } from '@main/agents/presets';
import { expect, test } from 'vitest';
import { DetectedProfiles } from './detected-profiles';

function detected(...installed: string[]) {
  const asked: string[] = [];
  const time = { now: 0 };
  const profiles = new DetectedProfiles({
    presets: agentPresets,
    now: () => time.now,
    find: async (program) => {
      asked.push(program);
      return installed.includes(program) ? `/bin/${program}` : null;
    },
  });
  const named = async () =>
    (await profiles.profiles()).map((one) => [one.id, one.kind, 'command' in one ? one.command : '']);
  return { named, asked, time };
}

test('An installed agent has a profile of its name', async () => {
  expect(await detected('claude-agent-acp').named()).toEqual([['claude', 'acp', 'claude-agent-acp']]);
  expect(await detected('codex-acp', 'codex').named()).toEqual([
    ['codex', 'acp', 'codex-acp'],
    ['codex-cli', 'cli', 'codex'],
    ['codex-exec', 'cli', 'codex'],
  ]);
});

test('A program without its adapter is started by its name in a terminal', async () => {
  expect(await detected('claude').named()).toEqual([
    ['claude', 'cli', 'claude'],
    ['claude-cli', 'cli', 'claude'],
  ]);
});

test('A model server has no profile before the operator made one', async () => {
  expect(await detected('ollama', 'lms', 'openclaw').named()).toEqual([]);
});

test('PATH is searched once for many workflows, and again a little later', async () => {
  const world = detected();
  await Promise.all([world.named(), world.named()]);
  const once = world.asked.length;
  world.time.now = 10_000;
  await world.named();
  expect(world.asked.length).toBe(2 * once);
});
