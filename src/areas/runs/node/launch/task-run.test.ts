import { expect, test } from 'vitest';
import { taskDefinition } from './task-run';

const nameOf = (prompt: string) => taskDefinition({ agent: 'claude', prompt, workspace: 'worktree' }).name;

test('new work is a workflow of one step that is named by the first line of its prompt', () => {
  const prompt = '# Mend the lock\n\nIt is not freed.';
  expect(taskDefinition({ agent: 'claude', prompt, workspace: 'project' })).toMatchObject({
    name: 'Mend the lock',
    workspace: 'project',
    steps: [{ type: 'step.agent_task', config: { acp_profile_id: 'claude', instruction: prompt } }],
  });
});

test('nothing in the prompt of new work is a reference', () => {
  const prompt = 'What does $ARGUMENTS or $build.output.log mean in docs/a.md?';
  expect(taskDefinition({ agent: 'claude', prompt, workspace: 'project' }).steps[0]?.config).toMatchObject({
    instruction: 'What does \\$ARGUMENTS or \\$build.output.log mean in docs/a.md?',
  });
});

test('a long first line is cut at a word, and a prompt of signs alone still has a name', () => {
  expect(nameOf(`${'word '.repeat(40)}`)).toBe(`${'word '.repeat(11).trim()}…`);
  expect(nameOf('x'.repeat(500))).toHaveLength(60);
  expect(nameOf('---')).toBe('New work');
});
