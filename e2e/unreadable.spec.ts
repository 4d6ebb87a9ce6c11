import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { RunRow } from '@contract/run/procedures';
import type { ShownResult } from '@contract/run/results/results';
import type { RunState } from '@contract/run/state';
import { makeProject } from './fixtures/project';
import { agentFiles } from './fixtures/team';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const workflow = (script: string) => `name: Work
steps:
  - id: work
    type: step.command
    config:
      terminal: false
      script: ${JSON.stringify(script)}
`;

test('a run whose worktree lost its link is not green, says so everywhere, and goes on once it is repaired', async ({
  cli,
}) => {
  const script = 'test -e again || rm -f .git; test -e again && echo x > new.txt; touch again';
  const project = makeProject(scripted(workflow(script), 'default: Done.\n'));
  const run = await cli.run('run', join(project, WORKFLOW));
  expect(run.code).not.toBe(0);
  const words = /The workspace cannot be read: \.git is missing \(.*\)/;
  for (const shown of [await cli.run('show', '1'), await cli.run('apply', '1')]) {
    const said = shown.out + shown.err;
    expect(said).toMatch(words);
    expect(said).toContain('git worktree repair');
    expect(said).not.toMatch(/No files were changed|changed no files/);
  }
  const cleaned = await cli.run('clean', '1', '--unapplied');
  expect(cleaned.out).toContain('Kept because they cannot be read');
  const { results } = await cli.document<{ results: ShownResult[] }>('show', '1');
  expect(existsSync(join(results[0]?.path ?? '', 'again'))).toBe(true);
  expect(await cli.run('resume', '1')).toMatchObject({ code: 0 });
  expect(await cli.run('apply', '1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 files changed'),
  });
  expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe('x\n');
});

test('a folder that was deleted by hand at a gate is called gone, and made again when the run goes on', async ({
  cli,
}) => {
  const gated = `${workflow('echo a >> a.txt; git add -A; git -c user.name=T -c user.email=t@x commit -qm a')}  - id: ok
    type: step.approval
    config: {message: Go on?}
  - id: more
    type: step.command
    config: {script: 'test -e a.txt && echo b > b.txt', terminal: false}
cables:
  - {from: work.data_out, to: ok.data_in}
  - {from: ok.approved_out, to: more.data_in}
`;
  const project = makeProject(scripted(gated, 'default: Done.\n'));
  expect((await cli.run('run', join(project, WORKFLOW), '--no-wait')).code).toBe(6);
  const { state } = await cli.document<{ state: { workspace: { path: string } } }>('show', '1');
  rmSync(state.workspace.path, { recursive: true });
  expect(await cli.run('approve', '1')).toMatchObject({ code: 0 });
  expect(await cli.run('apply', '1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 files changed'),
  });
  rmSync(state.workspace.path, { recursive: true });
  const shown = await cli.run('show', '1');
  expect(shown.out).toContain('the folder is gone');
  expect(shown.out).not.toContain('No files were changed');
});

test('a run whose worktrees were removed by clean goes on with the work that it had', async ({ cli }) => {
  const script = 'if test -e made.txt; then echo two >> made.txt; else echo one > made.txt; exit 1; fi';
  const project = makeProject(scripted(workflow(script), 'default: Done.\n'));
  expect((await cli.run('run', join(project, WORKFLOW))).code).not.toBe(0);
  const cleaned = await cli.run('clean', '1', '--unapplied');
  expect(cleaned.out).toContain('Removed 1 worktree and 1 branch');
  const branches = execFileSync('git', ['branch', '--list', 'muster/*'], { cwd: project }).toString();
  expect(branches).toBe('');
  const resumed = await cli.run('resume', '1');
  expect([resumed.code, resumed.err]).toEqual([0, '']);
  expect(await cli.run('apply', '1')).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('one\ntwo\n');
});

test('a member that is stopped while its folder cannot be read is not one without work, and its team is not green', async ({
  cli,
}) => {
  const script = `default: { do: [{ write: { path: a.txt, content: "one\\n" } }, { wait_for_file: ${cli.dataDir}/go }], text: Done. }\n`;
  const project = makeProject({
    ...agentFiles({ writer: script }),
    '.muster/teams/one.yaml':
      'name: One\nteam:\n  members: [{name: ana, agent: writer, prompt: Write., iterative: true}]\n',
  });
  const host = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(host.child.pid));
  expect(await cli.run('team', 'start', 'one', '--project', project)).toMatchObject({ code: 0 });
  const shown = () => cli.document<{ run: RunRow; state: RunState }>('show', '1');
  const folder = async () => Object.values((await shown()).state.sessions)[0]?.cwd ?? '';
  await expect.poll(async () => existsSync(join(await folder(), 'a.txt'))).toBe(true);
  // Its link alone is mended by Muster; what it leads to is not.
  const link = readFileSync(join(await folder(), '.git'), 'utf8')
    .replace('gitdir: ', '')
    .trim();
  rmSync(join(link, 'HEAD'));
  writeFileSync(join(link, 'commondir'), '/nowhere');
  expect(await cli.run('team', 'shutdown', '1', 'ana', '--force')).toMatchObject({ code: 0 });
  const gates = async () => (await cli.document<{ gates: GateRow[] }>('gates')).gates;
  await expect
    .poll(async () => (await gates()).map(({ title }) => title))
    .toEqual(['The work of ana is not merged']);
  expect((await gates())[0]?.message).toContain(
    'is no longer a worktree. Its branch and snapshots are still in',
  );
  expect((await shown()).run.status).toBe('waiting');
});
