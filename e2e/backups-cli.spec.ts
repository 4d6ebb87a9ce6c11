import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupRow } from '@areas/backups/contract/procedures';
import type { RunRow } from '@contract/run/procedures';
import type { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const workflow = `name: Sum
workspace: folder
steps:
  - id: work
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Begin.}
`;

const runs = async (cli: Cli): Promise<number> =>
  (await cli.document<{ runs: RunRow[] }>('list')).runs.length;

test('a backup is made next to a running Muster, and restored once that has ended', async ({ cli }) => {
  const file = join(makeProject(scripted(workflow, 'default: Done.\n')), WORKFLOW);
  const run = () => cli.run('run', file, '--instruction', 'Go');
  expect(await run()).toMatchObject({ code: 0 });
  const host = cli.start('serve');
  await expect.poll(async () => (await cli.run('status')).out).toContain(String(host.child.pid));

  const target = join(cli.dataDir, 'one.db');
  expect(await cli.run('backup', target)).toMatchObject({ code: 0, out: expect.stringContaining(target) });
  expect(await cli.run('backup', target)).toMatchObject({ code: 2, err: expect.stringContaining('exists') });
  const whole = await cli.document<BackupRow>('backup', '--artifacts');
  expect(whole).toMatchObject({ kind: 'manual', artifacts: true, version: 1 });
  expect(readdirSync(join(whole.path, 'artifacts')).length).toBeGreaterThan(0);
  const listed = await cli.document<{ rows: BackupRow[] }>('backup', '--list');
  expect(listed.rows.map(({ path }) => path)).toEqual([whole.path]);

  expect(await run()).toMatchObject({ code: 0 });
  expect(await runs(cli)).toBe(2);
  const refused = await cli.run('restore', target, '--yes');
  expect(refused).toMatchObject({ code: 7, err: expect.stringContaining('Quit that Muster first') });
  host.child.kill('SIGINT');
  await host.done;

  expect(await cli.run('restore', target)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  const restored = await cli.document<{ kept: string }>('restore', target, '--yes');
  expect(await runs(cli)).toBe(1);
  expect(existsSync(restored.kept)).toBe(true);
  expect(await cli.run('restore', restored.kept, '--yes')).toMatchObject({ code: 0 });
  expect(await runs(cli)).toBe(2);
});
