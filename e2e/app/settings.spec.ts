import { expect, test } from '../fixtures/test';

test('a setting is found by a word of it, with keys alone', async ({ shared: bench }) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  await page.keyboard.press('g');
  await page.keyboard.press(',');
  const list = page.getByRole('listbox', { name: 'Settings' });
  await expect(list.getByRole('option')).toHaveCount(10);
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
