import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { makePlan } from './plan';

const cli = (preset: string, more: object = {}): AgentProfile =>
  agentProfileSchema.parse({ kind: 'cli', id: 'worker', name: 'Worker', command: 'x', preset, ...more });

function problems(profile: AgentProfile, workspace = 'project', step: object = {}) {
  const config = { acp_profile_id: 'worker', instruction: 'work' };
  const definition = workflowDefinitionSchema.parse({
    name: 'w',
    workspace,
    steps: [{ id: 'a', type: 'step.agent_task', config, ...step }],
  });
  const context = { registry: stepRegistry, profiles: { worker: profile }, defaultProfile: null };
  return makePlan(definition, { ...context, called: { 'c.yaml': called } }).problems;
}

const called = workflowDefinitionSchema.parse({
  name: 'c',
  steps: [{ id: 'b', type: 'step.agent_task', config: { acp_profile_id: 'worker', instruction: 'work' } }],
});

test.each(['aider', 'generic', 'codex-exec'])(
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

test('an agent that cannot ask is refused in a worktree too where its profile wants it to ask', () => {
  const asking = cli('codex-exec', { permissions: 'ask' });
  expect(problems(asking, 'worktree')).toMatchObject([
    {
      code: 'agent.refused',
      message: 'step "a": Worker cannot ask, and its profile says `permissions: ask`',
    },
  ]);
  expect(problems({ ...asking, read_only: true }, 'worktree')).toEqual([]);
});

test.each(['claude', 'codex', 'opencode', 'gemini', 'qwen'])(
  "a terminal agent of %s asks in the operator's own checkout",
  (preset) => {
    expect(problems(cli(preset))).toEqual([]);
  },
);

test("an agent that is held to reading may look about in the operator's own checkout, also as the member of a team", () => {
  expect(problems(cli('aider', { read_only: true }))).toEqual([]);
  expect(problems(cli('codex-exec', { permissions: 'deny' }))).toEqual([]);
  expect(problems(cli('generic', { read_only: true }))).toHaveLength(1);
  const config = { members: [{ name: 'S1', agent: 'worker', prompt: 'Read.', read_only: true }] };
  expect(problems(cli('aider'), 'project', { type: 'step.team', config })).toEqual([]);
});

const inner = { id: 'b', type: 'step.agent_task', config: { acp_profile_id: 'worker', instruction: 'work' } };
const body = { steps: [inner] };

test.each([
  ['step.loop', { body, until: 'DONE', max_iterations: 2 }, 'body.steps[0].config.acp_profile_id'],
  ['step.workflow', { body, for_each: { items: ['x'] } }, 'body.steps[0].config.acp_profile_id'],
  ['step.workflow', { file: 'c.yaml' }, 'file'],
  [
    'step.experiment',
    { target: inner, variants: [{ name: 'x' }, { name: 'y' }] },
    'target.config.acp_profile_id',
  ],
])(
  "an agent in the body of a %s that cannot ask is refused in the operator's own checkout",
  (type, config, path) => {
    expect(problems(cli('aider'), 'project', { type, config })).toMatchObject([
      { code: 'agent.refused', where: { path: `steps[0].config.${path}` } },
    ]);
    expect(problems(cli('aider'), 'worktree', { type, config })).toEqual([]);
    expect(problems(cli('claude'), 'project', { type, config })).toEqual([]);
  },
);

test('a run that has begun is taken up though its agent cannot ask', () => {
  const definition = workflowDefinitionSchema.parse({ name: 'w', workspace: 'project', steps: [inner] });
  const profiles = { worker: cli('aider') };
  const { plan } = makePlan(definition, {
    registry: stepRegistry,
    profiles,
    defaultProfile: null,
    begun: true,
  });
  expect(plan).not.toBeNull();
});
