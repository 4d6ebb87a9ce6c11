import { agentProfileSchema } from '@areas/agents/contract/profile';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { member, openTeam, prompts, TeamHarness } from '../testing/team';

const terminal = agentProfileSchema.parse({ kind: 'cli', id: 'term', name: 'Term', command: 'agent' });

async function opened(lead: unknown) {
  const team = new TeamHarness();
  team.agents.answer = () => null;
  const config = { lead, members: [member('ada'), member('ben', { agent: 'term' })] };
  const profiles = { fake: fakeProfile, term: terminal };
  await team.run({ steps: [{ id: 'team', type: 'step.team', config }] }, { profiles, prompts });
  return (beginning: string) =>
    team.agents.sent.map(({ request }) => request.prompt).find((prompt) => prompt.startsWith(beginning)) ??
    '';
}

test('the tools of a team are mentioned only to members that they reach', async () => {
  const prompt = await opened('operator');
  expect(prompt('You are ada')).toContain('Your team tools: team_message, ');
  expect(prompt('You are ben')).toContain('Your team tools: none reach you here.');
});

test('the tools of a team are mentioned only to a lead that they reach', async () => {
  const [reached, not] = [await opened({ agent: 'fake' }), await opened({ agent: 'term' })];
  expect(reached('You lead')).toContain('Your team tools: team_spawn, ');
  expect(not('You lead')).toContain('Your team tools: none reach you here.');
});

test('the results in one prompt of the lead are bounded together, and short ones stay whole', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);
  const team = await openTeam({ lead: { agent: 'leader' }, members: names.map((name) => member(name)) });
  const long = names.slice(1);
  for (const name of long) await team.deliver(name, 'x'.repeat(12_000));
  await team.deliver('m1', 'y'.repeat(1000));
  await team.deliver('lead', 'I wait.');
  const prompt = team.waiting('lead')?.request.prompt ?? '';
  expect(prompt.length).toBeLessThan(64_000);
  expect(prompt).toContain('y'.repeat(1000));
  for (const name of long)
    expect(prompt).toContain(`… more of it: call team_results with from "${name}" and round 1`);
});

test('a single long result in the prompt of the lead is cut where it always was', async () => {
  const team = await openTeam({ lead: { agent: 'leader' }, members: [member('ana')] });
  await team.deliver('ana', 'x'.repeat(13_000));
  await team.deliver('lead', 'I wait.');
  const prompt = team.waiting('lead')?.request.prompt ?? '';
  expect(prompt.split('x'.repeat(12_000))).toHaveLength(2);
  expect(prompt).not.toContain('x'.repeat(12_001));
});
