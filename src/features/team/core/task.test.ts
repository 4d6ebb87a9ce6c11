import { describe, expect, test } from 'vitest';
import { member, profiles, prompts, TeamHarness } from './testing/team';

const agents = { profiles, prompts };
const step = (config: Record<string, unknown>) => ({ id: 'team', type: 'step.team', config });
const first = {
  id: 'first',
  type: 'step.agent_task',
  config: { acp_profile_id: 'fake', instruction: 'Look' },
};
const ok = { id: 'ok', type: 'step.approval', config: { message: 'Good?' } };

/** A harness in which only agents of single steps answer automatically. */
function harness(): TeamHarness {
  const team = new TeamHarness();
  team.agents.answer = ({ request }) =>
    request.prompt.includes('Look') && !/You (are|lead)/.test(request.prompt) ? { response: 'seen' } : null;
  return team;
}
const texts = (team: TeamHarness, activationId: number): string[] =>
  Object.values(team.state().teams[activationId]?.messages ?? {}).map(({ text }) => text);

describe('inputs of a team', () => {
  test('the input of a team is given to a lead that is an agent as to other steps, once', async () => {
    const team = harness();
    const config = { lead: { agent: 'leader' }, instruction: 'Lead them.' };
    await team.run(
      {
        steps: [first, { id: 'second', type: 'step.agent_task', config: { ...first.config } }, step(config)],
        cables: [
          { from: 'first.data_out', to: 'second.data_in' },
          { from: 'second.data_out', to: 'team.data_in' },
        ],
      },
      { ...agents, projectContext: 'Write plainly.' },
    );
    expect(texts(team, 3)).toEqual([
      '## Project context\nWrite plainly.\n\nLead them.\n\n## Earlier steps\n### first\nseen\n\n## Input\nseen',
    ]);
  });

  test('the input of a team is given to each member where the operator leads, and is in the chat once', async () => {
    const team = harness();
    const config = { instruction: 'Write a song.', members: [member('ada'), member('ben')] };
    team.config = config;
    await team.run(
      { steps: [first, step(config)], cables: [{ from: 'first.data_out', to: 'team.data_in' }] },
      agents,
    );
    const task = 'Write a song.\n\n## Input\nseen';
    expect(texts(team, 2)).toEqual([task, 'work of ada', 'work of ben']);
    for (const name of ['ada', 'ben'])
      expect(team.waiting(name)?.request.prompt).toContain(`\n\n${task}\n\n## Your task\nwork of ${name}`);
  });

  test('the input of a team is the request too, where the team begins its run, also for one that joins later', async () => {
    const team = harness();
    team.config = { members: [member('ada', { iterative: true })] };
    await team.run({ steps: [step(team.config)] }, { ...agents, instruction: 'In blue.' });
    expect(team.waiting('ada')?.request.prompt).toContain(
      '## Request\nIn blue.\n\n## Your task\nwork of ada',
    );
    await team.deliver('ada', 'draft');
    await team.say('ada', 'more');
    expect(team.waiting('ada')?.request.prompt).not.toContain('In blue.');
    await team.call('operator', 'team_spawn', {
      name: 'ben',
      agent: 'fake',
      prompt: 'Help.',
      worktree: false,
    });
    expect(team.waiting('ben')?.request.prompt).toContain('## Request\nIn blue.\n\n## Your task\nHelp.');
  });

  test('a team without an input adds nothing to the task of a member', async () => {
    const team = harness();
    await team.run({ steps: [step({ members: [member('ada')] })] }, agents);
    expect(texts(team, 1)).toEqual(['work of ada']);
  });

  test.each([{ lead: { agent: 'leader' } }, {}])(
    'the prompt of a team says why its work was sent back (%o)',
    async (led) => {
      const team = harness();
      const config = { ...led, instruction: 'Do it.', members: [member('ada')] };
      const cables = [
        { from: 'team.data_out', to: 'ok.data_in' },
        { from: 'ok.revise_out', to: 'team.instruction_in' },
      ];
      await team.run({ steps: [step(config), ok], cables }, agents);
      team.config = config;
      if ('lead' in led) await team.deliver('lead', 'Begun.');
      await team.deliver('ada', 'draft');
      if ('lead' in led) await team.deliver('lead', 'Here.');
      await team.call('operator', 'team_cleanup', {});
      await team.answer('reject', { reason: 'in blue, please' });
      const prompt = team.waiting('lead' in led ? 'lead' : 'ada')?.request.prompt;
      const version = '## Your last version\n═══ ada: Fake ═══\ndraft';
      expect(prompt).toContain(`Do it.\n\n${version}\n\n## Revision requested\nin blue, please`);
    },
  );
});
