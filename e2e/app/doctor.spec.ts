import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Cli } from '../fixtures/cli';
import { makeProject } from '../fixtures/project';
import { expect, test } from '../fixtures/test';

/** A machine without agents: its PATH has git and what a shell needs, and its home is empty. */
function bareMachine(scratch: string) {
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  symlinkSync(git, join(bin, 'git'));
  const path = [bin, ...new Set(['/usr/bin', '/bin', dirname(git)])].join(delimiter);
  return { bin, env: { PATH: path, HOME: scratch, SHLVL: '1' } };
}

test('the first hour on a machine without agents says that none is ready, names the rehearsal, and finds an agent that is installed meanwhile', async ({
  bench,
}) => {
  const { bin, env } = bareMachine(bench.scratch);
  const muster = await bench.launch({ env });
  const { page } = muster;
  const here = page.getByRole('region', { name: 'Agents on this machine' });
  await expect(here.getByRole('status')).toContainText('No agent is ready on this machine.');
  await here.getByRole('button', { name: 'Open the doctor' }).click();
  const doctor = page.getByRole('article', { name: 'Doctor' });
  await expect(doctor.getByRole('status')).toContainText('Something that Muster needs is missing.');
  await expect(doctor.getByRole('listitem').filter({ hasText: 'No agent is installed' })).toContainText(
    'npm install --global opencode-ai',
  );

  const path = makeProject({});
  await muster.call('project.add', { path });
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New work' });
  const agent = dialog.getByRole('combobox', { name: 'Agent' });
  await expect(dialog.getByRole('status')).toContainText('No agent is ready on this machine.');
  await expect(agent).toHaveValue('');
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('Say hello');
  await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled();
  await agent.selectOption({ label: 'Rehearsal' });
  await expect(dialog).toContainText('no model answers');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('This was a rehearsal: its agents followed scripts')).toBeVisible();

  // The operator installs an agent in a terminal of their own.
  await page.keyboard.press('c');
  await expect(agent).toHaveValue('');
  writeFileSync(join(bin, 'new-agent'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });
  renameSync(join(bin, 'new-agent'), join(bin, 'opencode'));
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(agent).toHaveValue('opencode', { timeout: 500 });
  }).toPass();
  await expect(dialog.getByText('No agent is ready')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    location.hash = '#/settings/doctor';
  });
  await expect(doctor.getByRole('listitem').filter({ hasText: 'Installed (1.2.3)' })).toContainText(
    'opencode',
  );
});

test('the command line rehearses only on request, and says what is missing where no agent is ready', async ({
  bench,
}) => {
  const { env } = bareMachine(bench.scratch);
  const cli = new Cli(bench.dataDir, makeProject({}));
  const run = (...words: string[]) => cli.startIn(env, ...words).done;
  const refused = await run('do', 'Say hello');
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('no agent is ready on this machine'),
  });
  expect(refused.err).toMatch(/muster doctor .*--agent scripted rehearses/s);
  const rehearsed = await run('do', 'Say hello', '--agent', 'scripted');
  expect(rehearsed).toMatchObject({ code: 0, out: expect.stringContaining('This was a rehearsal') });
  const doctor = await run('doctor', '--quick', '--json');
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.out)).toMatchObject({ verdict: 'missing' });
  await cli.end();
});
