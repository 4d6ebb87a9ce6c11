import { agentProfileSchema } from '@areas/agents/contract/profile';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { fakeProfile } from '../testing/harness';
import { makePlan } from './plan';

const command = (config: object = {}) => ({
  id: 'a',
  type: 'step.command',
  config: { script: 'make', terminal: false, ...config },
});

const acp = agentProfileSchema.parse({ kind: 'acp', id: 'far', name: 'Far', command: 'far-agent' });

function problems(more: object) {
  const definition = workflowDefinitionSchema.parse({ name: 'w', host: 'gpu1', steps: [command()], ...more });
  const context = { registry: stepRegistry, profiles: { far: acp, play: fakeProfile }, defaultProfile: null };
  return makePlan(definition, context).problems.map(({ message, where }) => [where?.path, message]);
}

test('commands through pipes and approvals can be on a host', () => {
  const approval = { id: 'b', type: 'step.approval', config: { message: 'Good?' } };
  expect(problems({ steps: [command(), approval] })).toEqual([]);
});

test.each([
  {
    what: 'a terminal',
    more: { steps: [command({ terminal: true })] },
    path: 'steps[0]',
    words: 'write "terminal: false"',
  },
  {
    what: 'the folder of artifacts',
    more: { steps: [command({ script: 'cp x $ARTIFACTS_DIR' })] },
    path: 'steps[0]',
    words: 'ARTIFACTS_DIR',
  },
  { what: 'the checkout', more: { workspace: 'project' }, path: 'workspace', words: 'only a worktree' },
  {
    what: 'a setup',
    more: { worktree: { setup: 'npm ci' } },
    path: 'worktree.setup',
    words: 'not work on a host',
  },
  {
    what: 'copied files',
    more: { worktree: { copy: ['.env'] } },
    path: 'worktree.copy',
    words: 'not work on a host',
  },
])('$what is refused on a host with its place', ({ more, path, words }) => {
  expect(problems(more)).toEqual([[path, expect.stringContaining(words)]]);
});

const task = (config: object) => ({
  id: 'b',
  type: 'step.agent_task',
  config: { instruction: 'Write', acp_profile_id: 'far', ...config },
});

test('an agent that speaks the protocol can be on a host', () => {
  expect(problems({ steps: [task({})] })).toEqual([]);
});

test.each([
  { what: 'another kind of agent', config: { acp_profile_id: 'play' }, words: 'does not run there yet' },
  { what: 'an attachment', config: { attachments: ['a.png'] }, words: 'attachments cannot be there yet' },
  {
    what: 'a prompt about artifacts',
    config: { instruction: 'Read $ARTIFACTS_DIR/x' },
    words: 'ARTIFACTS_DIR',
  },
])('$what in an agent task is refused on a host', ({ config, words }) => {
  expect(problems({ steps: [task(config)] })).toEqual([['steps[0]', expect.stringContaining(words)]]);
});

test('a host of one step is refused: steps share their folder, and so the host', () => {
  const parsed = workflowDefinitionSchema.safeParse({ name: 'w', steps: [{ ...command(), host: 'gpu1' }] });
  expect(parsed.success).toBe(false);
});
