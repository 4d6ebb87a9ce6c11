import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeDefinition } from './write-definition';

const step = fc.record({
  id: fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
  type: fc.constantFrom('step.agent_task', 'step.approval'),
  title: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  config: fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  ),
});

test('a written workflow is read back as it was', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(step, { minLength: 1, selector: ({ id }) => id }),
      fc.constantFrom('worktree', 'project', 'folder'),
      (steps, workspace) => {
        const definition = workflowDefinitionSchema.parse({ name: 'A: #b', steps, workspace });
        expect(workflowDefinitionSchema.parse(parse(writeDefinition(definition)))).toEqual(definition);
      },
    ),
  );
});

test('a default that the reader fills in is not written, and a prompt of many lines is a block', () => {
  const config = { acp_profile_id: 'claude', instruction: 'Mend it.\nThen test it.\n' };
  const steps = [{ id: 'task', type: 'step.agent_task', config }];
  expect(writeDefinition(workflowDefinitionSchema.parse({ name: 'Mend it', steps }))).toBe(
    'name: Mend it\nsteps:\n  - id: task\n    type: step.agent_task\n    config:\n      acp_profile_id: claude\n      instruction: |\n        Mend it.\n        Then test it.\n',
  );
});
