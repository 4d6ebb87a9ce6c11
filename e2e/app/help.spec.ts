import { findingsOfThemes } from '../fixtures/axe';
import { expect, test } from '../fixtures/test';

test('help opens at the right place of each view, is searched, and its links lead on within it', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  const help = page.getByRole('main', { name: 'Help' });
  const heading = (name: string) => help.getByRole('heading', { name, exact: true });

  for (const [view, title] of [
    ['issues', 'Issues and pull requests'],
    ['workflows', 'Workflows'],
    ['runs', 'Where the result is, and how to apply it'],
    ['teams', 'step.team'],
    ['questions', 'step.rlm'],
    ['loops', 'Loops'],
    ['inbox', 'Approvals'],
    ['agents', 'Agents'],
    ['prompts', 'References'],
    ['settings', 'Settings of a project'],
    ['home', 'What it does today'],
  ] as const) {
    await page.evaluate((to) => {
      location.hash = `#/${to}`;
    }, view);
    await expect(page.getByRole('main', { name: 'Help' })).toHaveCount(0);
    await page.keyboard.press('F1');
    await expect(heading(title)).toBeVisible();
  }

  // By mouse, from the keys of a page.
  await page.evaluate(() => {
    location.hash = '#/workflows';
  });
  await expect(help).toHaveCount(0);
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByRole('button', { name: 'Help for this page' }).click();
  await expect(heading('Workflows')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const sections = help.getByRole('listbox', { name: 'Sections' });
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('pull request reviewer');
  await expect(sections.getByRole('option').first()).toContainText('Open a pull request');
  await sections.getByRole('option').first().click();
  await expect(heading('Open a pull request')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('xylophone');
  await expect(help.getByText('No section has all of these words.', { exact: false })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('');

  await page.evaluate(() => {
    location.hash = '#/help/command-line';
  });
  await help.getByRole('link', { name: 'HTTP API' }).first().click();
  await expect(heading('The HTTP API')).toBeVisible();
  // The next section, and back to the link.
  await page.keyboard.press('p');
  await expect(heading('The command line')).toBeVisible();
  expect(await findingsOfThemes(page, 'help', 'main')).toEqual([]);
  await page.reload();
  await expect(heading('The command line')).toBeVisible();
});
