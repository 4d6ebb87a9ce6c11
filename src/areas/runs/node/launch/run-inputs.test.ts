import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { expect, test } from 'vitest';
import { freezeReferences } from './run-inputs';

const definition = workflowDefinitionSchema.parse({
  name: 'w',
  steps: [{ id: 'a', type: 'step.command' }],
  inputs: {
    title: { description: 'its name' },
    times: { type: 'number', default: 2 },
    more: { required: false },
  },
});
const project = mkdtempSync(join(tmpdir(), 'muster-inputs-'));
mkdirSync(join(project, '.git'));
writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/topic/x\n');

test('inputs take the given values, then their defaults, and the branch is the checked out one', async () => {
  expect(await freezeReferences(definition, project, { title: 'a=b $ARGUMENTS' })).toEqual({
    ok: true,
    value: {
      baseBranch: 'topic/x',
      docsDir: 'docs/',
      inputs: { title: 'a=b $ARGUMENTS', times: '2', more: '' },
    },
  });
});

test('the branch of a linked worktree and of a folder inside a repository is known too', async () => {
  const linked = mkdtempSync(join(tmpdir(), 'muster-inputs-'));
  const gitDir = join(project, '.git', 'worktrees', 'linked');
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/side\n');
  writeFileSync(join(linked, '.git'), `gitdir: ${gitDir}\n`);
  const inside = join(project, 'packages', 'web');
  mkdirSync(inside, { recursive: true });
  const branchOf = async (folder: string) => {
    const read = await freezeReferences(definition, folder, { title: 'x' });
    return read.ok ? read.value.baseBranch : read.error;
  };
  expect([await branchOf(linked), await branchOf(inside)]).toEqual(['side', 'topic/x']);
});

test.each<[Record<string, string>, string]>([
  [{}, 'the input "title" (its name) is missing'],
  [{ title: 'x', times: 'many' }, 'the input "times" is not a number: many'],
  [{ titel: 'x' }, 'the workflow has no input "titel"'],
  [{ title: 'x', toString: 'x' }, 'the workflow has no input "toString"'],
])('the inputs %j are refused', async (given, message) => {
  const refused = await freezeReferences(definition, project, given);
  expect(refused).toMatchObject({ ok: false, error: { code: 'input.invalid', message } });
});
