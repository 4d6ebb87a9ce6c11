import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect, test } from '../fixtures/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Faults that are known. Nothing is added here: what is mended is taken out. */
const KNOWN = [
  // A post in the Feed is an option of a list and has buttons of its own; the list has to become a feed of articles.
  { place: '#/feed', rule: 'nested-interactive' },
  // The button that starts a workflow stands in the heading of its project, inside of the list.
  { place: '#/workflows', rule: 'aria-required-children' },
];
const isKnown = (place: string, id: string) =>
  KNOWN.some((known) => place.startsWith(known.place) && known.rule === id);

/** What axe finds on the page as it is: the rule, how bad it is, and the elements. */
async function findings(page: Page, place: string): Promise<string[]> {
  // Evaluated from outside, so that the page's content security policy stays as it is.
  await page.evaluate(`window.axe ?? (() => { ${axe} })()`);
  const { violations } = await page.evaluate<AxeResults, string[]>(
    (tags) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(document, {
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'],
      }),
    RULES,
  );
  return violations
    .filter(({ impact, id }) => (impact === 'serious' || impact === 'critical') && !isKnown(place, id))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => {
        const why = failureSummary?.split('\n').slice(1).join(' ').trim();
        return `${place}: ${id} (${help}) at ${target.join(' ')}: ${why}`;
      }),
    );
}

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
  test(`every view of the sample is free of serious accessibility faults in the ${theme} theme`, async ({
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
    for (const place of [...(await places(page)), `#/run/${runId}`]) {
      await open(page, place);
      found.push(...(await findings(page, place)));
      const first = page.locator('main [role="option"]:visible').first();
      if ((await first.count()) === 0) continue;
      await first.click();
      found.push(...(await findings(page, `${place} with its first entry`)));
    }
    expect(found).toEqual([]);
  });
