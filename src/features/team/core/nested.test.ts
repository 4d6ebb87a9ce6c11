import { expect, test } from 'vitest';
import { leadProfileOf, teamRow } from '../contract/summary';
import { toolsInTeam } from './agents';
import { member, profiles, prompts, TeamHarness } from './testing/team';

const facts = { runId: 1, runUid: 'U', runName: 'w', projectName: 'p', status: 'running' } as const;

test('Teams in the items of a fan-out have their tools, their lead and their results, also after a kill', async () => {
  const config = {
    lead: { agent: 'leader' },
    instruction: 'Lead them through $ITEM',
    members: [member('S1', { iterative: true })],
  };
  const harness = new TeamHarness();
  harness.agents.answer = () => null;
  harness.config = config;
  const crew = { id: 'crew', title: 'The crew', type: 'step.team', config };
  const each = {
    id: 'each',
    type: 'step.workflow',
    config: { for_each: { items: ['a', 'b'] }, body: { steps: [crew] } },
  };
  await harness.run({ steps: [each], cables: [] }, { profiles, prompts });
  await harness.restart();
  const teams = Object.keys(harness.state().teams).map(Number);
  expect(teams.map((id) => harness.state().activations[id]?.stepId)).toEqual([
    'each[1]/crew',
    'each[2]/crew',
  ]);
  for (const activationId of teams) {
    harness.activationId = activationId;
    const state = harness.state();
    const { lanes = {} } = state.activations[activationId] ?? {};
    expect(leadProfileOf(state, activationId)).toBe('leader');
    expect(teamRow(state, harness.team, { ...facts })).toMatchObject({ activationId, title: 'The crew' });
    expect(toolsInTeam(state, lanes.lead ?? 0)?.role).toBe('lead');
    expect(toolsInTeam(state, lanes['member-S1'] ?? 0)?.role).toBe('member');
    const place = { role: 'lead', name: 'lead', turnId: null } as const;
    expect(await harness.call(place, 'team_status', {})).toMatchObject({ ok: true });
  }
});

test('A team in a pass of a loop ends by the operator, and the pass has its results', async () => {
  const config = { members: [member('S1', { iterative: true })] };
  const harness = new TeamHarness();
  harness.agents.answer = () => null;
  harness.config = config;
  harness.activationId = 2;
  const loop = {
    id: 'again',
    type: 'step.loop',
    config: {
      body: { steps: [{ id: 'crew', type: 'step.team', config }] },
      until_command: 'check',
      max_iterations: 2,
    },
  };
  await harness.run({ steps: [loop], cables: [] }, { profiles, prompts });
  await harness.deliver('S1', 'draft');
  await harness.call('operator', 'satisfied', { member: 'S1' });
  await harness.restart();
  const [gate] = Object.values(harness.state().gates).filter(({ status }) => status === 'open');
  if (gate !== undefined) await harness.answer('resend', { gateId: gate.id });
  await harness.deliver('S1', '<task-result status="completed">final</task-result>');
  const state = harness.state();
  expect(state.scopes['again[1]']).toMatchObject({ status: 'ended', outcome: 'succeeded' });
  expect(state.activations[2]?.outputs.data_out?.content).toMatchObject({
    members: { S1: { result: 'final', rounds: 2 } },
  });
});
