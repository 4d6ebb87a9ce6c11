import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cli } from '../fixtures/cli';
import { pressBoth } from '../fixtures/press-both';
import { expect, scripted, test } from '../fixtures/test';

const FILE = '.muster/prompts/team/iterative-teammate.md';
const flow = `name: Checked
steps:
  - id: work
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Go.}
`;

test('a prompt is overridden, broken and repaired on disk, and put aside with a way back', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const opened = join(bench.scratch, 'opened.md');
  const project = await bench.project(muster, scripted(flow, 'default: Done.\n'));
  const file = join(project.path, FILE);
  const cli = new Cli(bench.dataDir);
  await pressBoth(page, 'g', 'p');
  await page.getByRole('option', { name: /Iterative teammate/ }).click();
  const prompt = page.getByRole('article', { name: 'Prompt Iterative teammate' });
  const problems = prompt.getByRole('list', { name: 'Problems' });
  await expect(prompt).toContainText('Built in');
  await expect(prompt.getByText('{team}', { exact: true })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Schema' })).toContainText('Do NOT stop');

  await muster.call('settings.set', { settings: { editorCommand: `cp {file} "${opened}"` } });
  await page.keyboard.press('o');
  await expect(prompt).toContainText(`Overridden by ${FILE}`);
  await expect.poll(() => existsSync(opened)).toBe(true);
  const builtin = readFileSync(file, 'utf8');
  expect(readFileSync(opened, 'utf8')).toBe(builtin);
  expect(await cli.run('prompts', 'check', project.path)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ prompts, 1 overridden: all valid\n$/),
  });

  writeFileSync(file, builtin.replace('Do NOT stop. ', '').replace('{round}', '{runde}'));
  await expect(problems).toContainText('There is no placeholder {runde}');
  await expect(problems).toContainText('The words “Do NOT stop” are missing');
  await expect(problems).toContainText('line 1');
  const checked = await cli.run('prompts', 'check', project.path);
  expect(checked).toMatchObject({ code: 3, out: expect.stringContaining(`${FILE}:1:`) });

  const mine = `${builtin}\nOurs, too.\n`;
  writeFileSync(file, mine);
  await expect(problems).toHaveCount(0);
  await expect(prompt).toContainText('Ours, too.');
  await prompt.getByRole('tab', { name: 'Changes' }).click();
  await expect(prompt.locator('.diff')).toContainText('Ours, too.');

  await prompt.getByRole('button', { name: /^Edit here/ }).click();
  const field = prompt.getByLabel('Text of the project');
  const save = prompt.getByRole('button', { name: /^Save/ });
  await field.fill(`${mine}{wrong}`);
  await expect(problems).toContainText('There is no placeholder {wrong}');
  await expect(save).toBeDisabled();
  const edited = `${mine}Edited in the window.\n`;
  await field.fill(edited);
  await prompt.getByRole('button', { name: 'Preview with sample values' }).click();
  await expect(prompt.getByRole('region', { name: 'Preview with sample values' })).toContainText('«round»');
  await save.click();
  await expect(field).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toBe(edited);

  await prompt.getByRole('button', { name: /^Remove the override/ }).click();
  await expect(prompt).toContainText('Built in');
  expect([existsSync(file), readFileSync(`${file}.bak`, 'utf8')]).toEqual([false, edited]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(prompt).toContainText(`Overridden by ${FILE}`);
  expect([readFileSync(file, 'utf8'), existsSync(`${file}.bak`)]).toEqual([edited, false]);
  await cli.end();
});
