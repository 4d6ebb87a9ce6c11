import { expect, test } from '../fixtures/test';

test('what is written of a profile is there again after another view, until it is discarded', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const show = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await show('#/agents/new/cli');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('My agent');
  await show('#/settings/system');
  await expect(page.getByRole('heading', { name: 'System and data' })).toBeVisible();
  await show('#/agents/new/cli');
  await expect(name).toHaveValue('My agent');
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await expect(name).toHaveValue('');
});
