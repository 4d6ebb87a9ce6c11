import type { Page } from '@playwright/test';
import { findings } from '../fixtures/axe';
import { expect, test } from '../fixtures/test';

/** Every view, and every kind of place that a view shows in its main column. */
async function places(page: Page): Promise<string[]> {
  const views = await page
    .locator('nav a[href^="#/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(views.length).toBeGreaterThanOrEqual(10);
  return views;
}

async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect(page.locator('nav a[aria-current="page"]')).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

for (const theme of ['light', 'dark'] as const)
  test(`every view of the sample is free of accessibility faults in the ${theme} theme`, async ({
    bench,
  }) => {
    const muster = await bench.launch();
    const { page } = muster;
    await muster.call('settings.set', { settings: { theme } });
    const project = await muster.call('project.createSample', {});
    const { runId } = await muster.call('run.start', {
      projectId: project.id,
      file: '.muster/workflows/release-notes.yaml',
    });
    await open(page, '#/inbox');
    await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible();
    const found: string[] = [];
    const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    const more = ['run', 'session'].map((kind) => `#/${kind}/${runId}${kind === 'run' ? '' : '/1'}`);
    expect(Object.keys(state.sessions)).toContain('1');
    const starts = [
      '#/loops/new',
      '#/teams/new',
      '#/questions/new',
      '#/runs/bin',
      '#/inbox/closed',
      '#/sessions/grid',
    ];
    for (const place of [...(await places(page)), ...more, ...starts]) {
      await open(page, place);
      found.push(...(await findings(page, place)));
      const first = page.locator('main [role="option"]:visible').first();
      if ((await first.count()) === 0) continue;
      await first.click();
      found.push(...(await findings(page, `${place} with its first entry`)));
    }
    expect(found).toEqual([]);
  });
