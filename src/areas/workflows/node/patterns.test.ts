import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newCommand } from '@areas/runs/node/commands/new';
import { yamlReader } from '@main/adapters/yaml/document';
import { yamlEditor } from '@main/adapters/yaml/edit';
import { expect, test } from 'vitest';
import { WorkflowPatterns } from './patterns';

const shipped = join(import.meta.dirname, '../../../../resources/patterns');
const patternsIn = (dir: string) => new WorkflowPatterns({ dir, reader: yamlReader, editor: yamlEditor });
const ONE =
  'name: One\nsteps:\n  - id: a\n    type: step.agent_task\n    config:\n      acp_profile_id: agent\n';
const ids = readdirSync(shipped).map((name) => name.replace('.yaml', ''));

test('every pattern is listed with its name and what it does, and the help of the command line names it', async () => {
  const listed = await patternsIn(shipped).list();
  expect(listed.map(({ id }) => id)).toEqual([...ids].sort());
  for (const { id, name, description } of listed) {
    expect(name).not.toBe('');
    expect(description).not.toBe('');
    expect(newCommand.more).toContain(id);
  }
});

test.each(ids)('a workflow from %s differs from it only in its name and its agents', async (id) => {
  const pattern = readFileSync(join(shipped, `${id}.yaml`), 'utf8');
  const made = await patternsIn(shipped).textOf({ id, name: 'Mine', agent: 'claude' });
  const text = made.ok ? made.value : '';
  expect(text).toContain('acp_profile_id: claude');
  expect(text).not.toMatch(/acp_profile_id: agent$/m);
  const neutral = (yaml: string) =>
    yaml.replace(/^name: .*$/m, 'name: X').replace(/(acp_profile_id: )\w+/g, '$1X');
  expect(neutral(text)).toBe(neutral(pattern));
});

test('an agent whose id YAML would read as something else is quoted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'muster-patterns-'));
  writeFileSync(join(dir, 'one.yaml'), ONE);
  expect(await patternsIn(dir).textOf({ id: 'one', name: 'X', agent: '007' })).toMatchObject({
    value: expect.stringContaining('acp_profile_id: "007"'),
  });
});

test('an unknown pattern is refused with the known ones, and so is a path', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'muster-patterns-'));
  writeFileSync(join(dir, 'one.yaml'), ONE);
  writeFileSync(join(dir, 'broken.yaml'), 'name: [');
  for (const id of ['two', 'broken', '../one'])
    expect(await patternsIn(dir).textOf({ id, name: 'X', agent: 'a' })).toMatchObject({
      error: { code: 'not_found', mend: 'choose one of: one' },
    });
});
