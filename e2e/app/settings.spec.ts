import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pressBoth } from '../fixtures/press-both';
import { expect, test } from '../fixtures/test';

test('a setting is found by a word of it, with keys alone', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  await pressBoth(page, 'g', ',');
  const list = page.getByRole('listbox', { name: 'Settings' });
  await expect(list.getByRole('option')).toHaveCount(14);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search the settings' })).toBeFocused();
  await page.keyboard.type('undo');
  await expect(list.getByRole('option').filter({ hasText: 'Time to undo' })).toHaveText(/Agents and editor/);
  // The page of the first match is shown, and the word is marked there.
  await expect(page.getByRole('article', { name: 'Agents and editor' })).toBeVisible();
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('found') ?? [])].map((range) => range.toString().toLowerCase()),
    );
  await expect.poll(marked).toContain('undo');
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('article', { name: 'Agents and editor' }).locator('[data-focus]'),
  ).toBeFocused();
});

test('the settings of a project are changed in the window, and a file that is not valid is named', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await bench.project(muster, {
    '.muster/project.yaml': '# Ours.\nworktree:\n  copy: [.env]\n',
  });
  const file = join(project.path, '.muster', 'project.yaml');
  await muster.page.evaluate(() => {
    location.hash = '#/settings/projects';
  });
  const view = page.getByRole('article', { name: 'Projects' });
  await view.getByLabel('Project', { exact: true }).selectOption(String(project.id));
  await expect(view.getByLabel('Files to copy')).toHaveValue('.env');
  await view.getByLabel('Setup').fill('npm ci');
  await view.getByLabel('Setup').press('Enter');
  await view.getByText(/^Sign commits/).click();
  await view.getByLabel('Files to copy').fill('.env\nkeys/*');
  await view.getByLabel('Teardown').focus();
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('keys/*');
  const text = readFileSync(file, 'utf8');
  for (const part of ['# Ours.', 'setup: npm ci', 'sign: never']) expect(text).toContain(part);
  writeFileSync(file, 'wrktree: {}\n');
  await expect(view.getByText(/wrktree/).first()).toBeVisible();
  await expect(view.getByLabel('Setup')).toHaveCount(0);
});
