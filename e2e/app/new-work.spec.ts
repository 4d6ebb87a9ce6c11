import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cli } from '../fixtures/cli';
import { makeProject } from '../fixtures/project';
import { expect, scripted, test, WORKFLOW } from '../fixtures/test';

test('work is begun with one key and a prompt, and saved as a workflow that runs again', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const files = scripted(
    'name: W\nsteps: []\n',
    'default:\n  do: [{write: {path: note.txt, content: Noted.}}]\n  text: Done.\n',
  );
  const project = await bench.project(muster, files);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New work' });
  const prompt = dialog.getByRole('textbox', { name: 'Prompt' });
  await expect(prompt).toBeFocused();
  await page.keyboard.type('Write a note');
  // Closed and opened again, the draft is still there.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('c');
  await expect(prompt).toHaveValue('Write a note');
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Worker' });
  await prompt.press('ControlOrMeta+Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Write a note' })).toBeVisible();
  const { rows } = await muster.call('run.list', {});
  const runId = rows[0]?.id ?? 0;
  const { state } = await bench.until(muster, runId, ({ row }) => row.status === 'succeeded');
  expect(state.definition.steps).toMatchObject([
    { config: { acp_profile_id: 'worker', instruction: 'Write a note' } },
  ]);
  // It worked outside of the checkout.
  expect(existsSync(join(project.path, 'note.txt'))).toBe(false);

  await page.getByRole('button', { name: 'Save as workflow' }).click();
  const save = page.getByRole('dialog', { name: 'Save as workflow' });
  await save.getByRole('textbox', { name: 'Name' }).fill('Note taker');
  await save.getByRole('button', { name: 'Save as workflow' }).click();
  await expect(page.getByRole('article', { name: 'Workflow Note taker' })).toBeVisible();
  const file = '.muster/workflows/note-taker.yaml';
  expect(readFileSync(join(project.path, file), 'utf8')).toContain('instruction: Write a note');
  const again = await muster.call('run.start', { projectId: project.id, file });
  await bench.until(muster, again.runId, ({ row }) => row.status === 'succeeded');
});

test('new work, a question and a loop begin with the project of the newest run, or the one that is shown', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const files = scripted('name: W\nsteps: []\n', 'default: Done.\n');
  const projects = [await bench.project(muster, files), await bench.project(muster, files)];
  const listed = await muster.call('project.list', {});
  const [first, last] = [listed[0]?.id ?? 0, listed.at(-1)?.id ?? 0];
  expect(projects.map(({ id }) => id).sort()).toEqual([first, last].sort());
  const task = { projectId: last, agent: 'worker', prompt: 'Go' };
  await bench.until(
    muster,
    (await muster.call('run.startTask', task)).runId,
    ({ row }) => row.outcome !== null,
  );
  const select = page.getByRole('combobox', { name: 'Project', exact: true });
  for (const place of ['questions', 'loops']) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${place}/new`);
    await expect(select).toHaveValue(String(last));
  }
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New work' });
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toHaveValue(String(last));
  await page.keyboard.press('Escape');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/workflows/${first}`);
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeAttached();
  await page.keyboard.press('c');
  await expect(select).toHaveValue(String(first));
  await page.keyboard.press('Escape');
});

test('a workflow begins as a pattern: on the page of a project without workflows, and in the sheet', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const { [WORKFLOW]: _, ...files } = scripted('', 'default: Done.\n');
  const project = await bench.project(muster, files);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/workflows/${project.id}`);
  const patterns = page.getByRole('region', { name: 'Patterns' });
  await expect(patterns.getByRole('listitem')).toHaveCount(5);
  await patterns.getByRole('button', { name: 'Plan, build, review' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Plan, build, review');
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Worker' });
  await dialog.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page.getByRole('article', { name: 'Workflow Plan, build, review' })).toBeVisible();
  const text = (name: string) => readFileSync(join(project.path, '.muster/workflows', name), 'utf8');
  expect(text('plan-build-review.yaml')).toContain('acp_profile_id: worker');
  await expect(page.getByRole('application', { name: /^Canvas of Plan/ })).toContainText('Approve the plan?');

  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await dialog.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'Nightly loop' });
  await expect(dialog).toContainText('Updates go to the feed.');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Every night');
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Worker' });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'Workflow Every night' })).toBeVisible();
  expect(text('every-night.yaml')).toContain('name: Every night');
});

test('the command line gives an agent a prompt, and makes a workflow of the run', async ({ bench }) => {
  const folder = makeProject(scripted('name: W\nsteps: []\n', 'default: Done.\n'));
  const cli = new Cli(bench.dataDir, folder);
  expect(await cli.run('do', 'Write a note')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--agent'),
  });
  expect(await cli.run('do', 'Write a note', '--agent', 'worker')).toMatchObject({ code: 0 });
  expect(await cli.run('new', 'Note taker', '--from', '1')).toMatchObject({ code: 0 });
  expect(await cli.run('new', 'Note taker')).toMatchObject({
    err: expect.stringContaining('already exists'),
  });
  expect(await cli.run('run', '.muster/workflows/note-taker.yaml')).toMatchObject({ code: 0 });
  await cli.end();
});
