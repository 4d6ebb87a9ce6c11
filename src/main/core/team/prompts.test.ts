import { agentProfileSchema } from '@contract/catalog/profile';
import { expect, it } from 'vitest';
import { fakeProfile } from '../engine/testing/harness';
import { member, prompts, TeamHarness } from './testing/team';

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

it('only who is reached by the tools of a team is told of them', async () => {
  const prompt = await opened('operator');
  expect(prompt('You are ada')).toContain('Your team tools: team_message, ');
  expect(prompt('You are ben')).toContain('Your team tools: none reach you here.');
});

it('so it is with a lead', async () => {
  const [reached, not] = [await opened({ agent: 'fake' }), await opened({ agent: 'term' })];
  expect(reached('You lead')).toContain('Your team tools: team_spawn, ');
  expect(not('You lead')).toContain('Your team tools: none reach you here.');
});
