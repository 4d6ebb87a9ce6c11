/** Home and Spend, only by keys. */
import { pressBoth } from '../fixtures/press-both';
import { expect, test } from '../fixtures/test';

test('Home shows the events since the last look, each line leads to its item, and Spend opens by key', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  const project = await muster.call('project.createSample', {});
  const { runId } = await muster.call('run.start', {
    projectId: project.id,
    file: '.muster/workflows/release-notes.yaml',
  });
  await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  await page.evaluate(() => {
    location.hash = '#/inbox';
  });
  await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible();

  await pressBoth(page, 'g', 'h');
  const needs = page.getByRole('region', { name: 'Waits for your answer' });
  await expect(needs.getByRole('link', { name: /Publish\?/ })).toBeVisible();
  await expect(page.getByRole('link', { name: '0 runs running' })).toBeVisible();
  await page.keyboard.press('m');
  await expect(page.getByText('Since you last looked')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('What happened in the last day')).toBeVisible();
  await page.keyboard.press('j');
  await expect(needs.getByRole('link', { name: /Publish\?/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/gate\//);

  await pressBoth(page, 'g', '$');
  const spend = page.getByRole('region', { name: 'Spend' });
  await expect(spend.getByRole('table')).toBeVisible();
  await page.keyboard.press('4');
  await spend.getByRole('columnheader', { name: 'Turns' }).getByRole('button').click();
  await expect(spend.getByRole('columnheader', { name: 'Turns' })).toHaveAttribute('aria-sort', 'descending');
  const { rows, totals } = await muster.call('spend.list', { by: 'run' });
  expect(rows).toMatchObject([{ runId }]);
  expect(totals.turns).toBeGreaterThan(0);
  await spend.getByRole('row').nth(1).getByRole('link').click();
  await expect(page).toHaveURL(/#\/run\//);
});
