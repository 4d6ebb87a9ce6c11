import { type AgentProfile, agentProfileSchema } from '@contract/catalog/profile';
import { workflowDefinitionSchema } from '@contract/workflow/definition';
import { stepRegistry } from '@features/core';
import { expect, it } from 'vitest';
import { makePlan } from './plan';
import { permissionProblems } from './plan-permissions';

const cli = (preset: string, more: object = {}): AgentProfile =>
  agentProfileSchema.parse({ kind: 'cli', id: 'worker', name: 'Worker', command: 'x', preset, ...more });

function problems(profile: AgentProfile, workspace = 'project', step: object = {}) {
  const config = { acp_profile_id: 'worker', instruction: 'work' };
  const definition = workflowDefinitionSchema.parse({
    ...{ name: 'w', workspace },
    steps: [{ id: 'a', type: 'step.agent_task', config, ...step }],
  });
  const context = { registry: stepRegistry, profiles: { worker: profile }, defaultProfile: null };
  const { plan } = makePlan(definition, context);
  if (plan === null) throw new Error('no plan');
  return permissionProblems(plan, context);
}

it.each(['aider', 'generic', 'codex-exec'])(
  "%s is refused in the operator's own checkout, whatever its profile allows",
  (preset) => {
    expect(problems(cli(preset, { permissions: 'allow_all' }))).toMatchObject([
      {
        code: 'agent.refused',
        severity: 'error',
        message: expect.stringContaining('Worker cannot ask'),
        mend: expect.stringContaining('in a worktree'),
        where: { path: 'steps[0].config.acp_profile_id' },
      },
    ]);
    expect(problems(cli(preset), 'worktree')).toEqual([]);
  },
);

it.each(['claude', 'codex', 'opencode', 'gemini', 'qwen'])('%s asks there', (preset) => {
  expect(problems(cli(preset))).toEqual([]);
});

it('one that is held to reading may look about there, also as the member of a team', () => {
  expect(problems(cli('aider', { read_only: true }))).toEqual([]);
  expect(problems(cli('codex-exec', { permissions: 'deny' }))).toEqual([]);
  expect(problems(cli('generic', { read_only: true }))).toHaveLength(1);
  const config = { members: [{ name: 'S1', agent: 'worker', prompt: 'Read.', read_only: true }] };
  expect(problems(cli('aider'), 'project', { type: 'step.team', config })).toEqual([]);
});
