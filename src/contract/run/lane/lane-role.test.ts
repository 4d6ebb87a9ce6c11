import { expect, test } from 'vitest';
import { laneRole } from './lane-role';

const roles = (...names: string[]) => ({ agents: names.map((role) => ({ role, acp_profile_id: 'x' })) });
const definition = {
  steps: [
    { id: 'pair', type: 'step.coding', config: roles('builder', 'reviewer') },
    { id: 'three', type: 'step.coding', config: roles('builder', 'builder', 'tester') },
    { id: 'team', type: 'step.team', config: { agents: 'otherwise' } },
  ],
};

test('a lane is named by the role of its agent, and agents of one role are told apart', () => {
  const role = (step: string, lane: string) => laneRole({ definition }, step, lane);
  expect([role('pair', 'agent-1'), role('pair', 'agent-2')]).toEqual(['builder', 'reviewer']);
  expect([1, 2, 3].map((number) => role('three', `agent-${number}`))).toEqual([
    'builder 1',
    'builder 2',
    'tester',
  ]);
});

test('a member of a team is named by its name, and an unknown lane as it is', () => {
  expect(laneRole({ definition }, 'team', 'member-ada')).toBe('ada');
  expect(laneRole({ definition }, 'team', 'lead')).toBe('lead');
  expect(laneRole({ definition }, 'team', 'agent-1')).toBe('agent-1');
  expect(laneRole({ definition }, 'pair', 'agent-9')).toBe('agent-9');
  expect(laneRole({ definition }, undefined, 'agent-1')).toBe('agent-1');
});
