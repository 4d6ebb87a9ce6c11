import { expect, test } from '../fixtures/test';

test('a host is added, tested and removed in the settings, and the reason of a failure is shown', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  await page.evaluate(() => {
    location.hash = '#/settings/hosts';
  });
  const article = page.getByRole('article', { name: 'Remote hosts' });
  await article.getByLabel('Name').fill('gpu1');
  await article.getByLabel('Entry of your ssh configuration').fill('nowhere.invalid');
  await article.getByRole('button', { name: 'Add host' }).click();
  const row = article.getByRole('listitem', { name: 'gpu1' });
  await expect(row).toContainText('Not connected');
  await row.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByText('No host "nowhere.invalid" is found').first()).toBeVisible();
  await row.getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
  expect((await muster.call('host.list', {})).rows).toEqual([]);
});
