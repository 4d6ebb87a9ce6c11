import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownResult } from '@contract/run/results/results';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const script = [
  'git config user.name T; git config user.email t@example.org',
  'git checkout -q -b o; echo a > README.md; git commit -qam o',
  'git checkout -q -; echo b > README.md; git commit -qam m',
  'git merge o || true',
].join('; ');
const workflow = `name: Merge
steps:
  - id: work
    type: step.command
    config: {terminal: false, script: ${JSON.stringify(script)}}
`;

test('an unfinished merge of an agent is named with its files, and applied only once it is finished', async ({
  cli,
}) => {
  const project = makeProject({ ...scripted(workflow, 'default: Done.\n'), 'README.md': 'start\n' });
  expect(await cli.run('run', join(project, WORKFLOW))).toMatchObject({ code: 0 });
  const words = /An unfinished merge was left in .*Files with conflicts: README\.md/;
  expect((await cli.run('show', '1')).out).toMatch(words);
  const refused = await cli.run('apply', '1');
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toMatch(words);
  expect(refused.err).toContain('git merge --abort');
  expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('start\n');
  const { results } = await cli.document<{ results: ShownResult[] }>('show', '1');
  const folder = results[0]?.path ?? '';
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('<<<<<<< ');
  execFileSync('git', ['checkout', '-q', '--theirs', 'README.md'], { cwd: folder });
  execFileSync('git', ['commit', '-qam', 'merged'], { cwd: folder });
  expect(await cli.run('apply', '1')).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('a\n');
});
