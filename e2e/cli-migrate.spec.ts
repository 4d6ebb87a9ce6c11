import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const OLD = `# Ours
name: Old
workspace: folder
steps:
  - id: build
    type: step.coding
    config:
      instruction: Build it.
      completion_mode: tests_pass   # strict
      test_command: npm test
      max_iterations: 2
      agents:
        - {role: builder, acp_profile_id: worker}
`;

test('a definition of an earlier version is refused with the way out, migrated, and then runs', async ({
  cli,
}) => {
  const project = makeProject(scripted(OLD, 'default: Done.\n'));
  const file = join(project, WORKFLOW);
  const refused = await cli.run('run', file);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('muster migrate FILE') });
  const [checked] = await cli.document<{ problems: { code: string; where: { line: number } }[] }[]>(
    'validate',
    file,
  );
  expect(checked?.problems.map(({ code, where }) => [code, where.line])).toEqual([
    ['validation.completion_mode_removed', 9],
    ['validation.completion_mode_removed', 10],
  ]);

  const seen = await cli.run('migrate', file);
  expect(seen).toMatchObject({
    code: 3,
    out: expect.stringContaining('+      completion_mode: agent_signals   # strict'),
  });
  expect(readFileSync(file, 'utf8')).toBe(OLD);
  const before = statSync(file).mode;
  expect(await cli.run('migrate', file, '--yes')).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(dirname(file))).toEqual(['w.yaml', 'w.yaml.bak']);
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe(OLD);
  expect(statSync(file).mode).toBe(before);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('# test_command: npm test (removed: the agent runs the tests itself)');
  expect(text).toContain('attempted 2 fix cycles.');

  expect(await cli.run('validate', file)).toMatchObject({ code: 0 });
  expect(await cli.run('migrate', file, '--yes')).toMatchObject({
    code: 0,
    out: expect.stringContaining('nothing to'),
  });
  expect(await cli.run('run', file)).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') });
});
