import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { makePlan } from './plan';

const command = (config: object = {}) => ({
  id: 'a',
  type: 'step.command',
  config: { script: 'make', terminal: false, ...config },
});

function problems(more: object) {
  const definition = workflowDefinitionSchema.parse({ name: 'w', host: 'gpu1', steps: [command()], ...more });
  const context = { registry: stepRegistry, profiles: {}, defaultProfile: null };
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

test('a host of one step is refused: steps share their folder, and so the host', () => {
  const parsed = workflowDefinitionSchema.safeParse({ name: 'w', steps: [{ ...command(), host: 'gpu1' }] });
  expect(parsed.success).toBe(false);
});
