import type { Page } from '@playwright/test';
import { findings, findingsOfThemes } from '../fixtures/axe';
import { expect, test } from '../fixtures/test';

const RAIL = 'nav[aria-label="Views"]';

/** Names of links whose words are cut, or that are not completely in the window. */
const misplaced = (page: Page) =>
  page.evaluate((rail) => {
    const entries = [...document.querySelectorAll<HTMLElement>(`${rail} a, ${rail} button`)];
    return entries.flatMap((entry) => {
      const { left, right, top, bottom } = entry.getBoundingClientRect();
      const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      const cut = [...entry.querySelectorAll('span')].some(
        (word) =>
          word.checkVisibility({ visibilityProperty: true }) && word.scrollWidth > word.clientWidth + 1,
      );
      return inside && !cut ? [] : [entry.getAttribute('aria-label')];
    });
  }, RAIL);

test('the rail names all views in four groups, reaches each by one click, and keeps its icons alone by choice', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  const rail = page.getByRole('navigation', { name: 'Views' });
  const group = (name: string) => rail.getByRole('group', { name }).getByRole('link');
  await expect(group('Decide')).toContainText(['Inbox', 'Home', 'Feed']);
  await expect(group('Build')).toContainText(['Workflows', 'Prompts', 'Agents']);
  await expect(group('Know')).toContainText(['Search', 'Spend', 'Settings']);
  for (const name of ['Teams', 'Runs', 'Sessions', 'Loops', 'Questions', 'Issues'])
    await expect(group('Work').filter({ hasText: name })).toBeVisible();

  // What was never opened is smaller, until it is.
  const prompts = rail.getByRole('link', { name: 'Prompts', exact: true });
  const height = async (name: string) =>
    (await rail.getByRole('link', { name, exact: true }).boundingBox())?.height ?? 0;
  const small = await height('Prompts');
  for (const name of await rail
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''))) {
    await rail.getByRole('link', { name, exact: true }).click();
    await expect(rail.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
  }
  await expect.poll(() => height('Prompts')).toBeGreaterThan(small);
  await page.reload();
  await expect.poll(() => height('Prompts')).toBeGreaterThan(small);

  for (const [width, tall] of [
    [900, 600],
    [1280, 800],
    // Names from 1300 pixels.
    [1920, 1000],
  ] as const) {
    await muster.app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.tall),
      { width, tall },
    );
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    await expect(prompts).toContainText('Prompts');
    expect(await misplaced(page), `${width} wide`).toEqual([]);
  }
  // Without the keys of the entry under the pointer.
  await page.mouse.move(600, 400);
  expect(await findingsOfThemes(page, 'the rail with words', RAIL)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await findings(page, 'the rail in forced colours', RAIL)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });

  const word = prompts.getByText('Prompts').first();
  await expect(word).toBeVisible();
  await page.keyboard.press('ControlOrMeta+b');
  await expect(word).toBeHidden();
  expect(await misplaced(page)).toEqual([]);
  expect(await findingsOfThemes(page, 'the rail with icons alone', RAIL)).toEqual([]);
  await page.reload();
  await expect(prompts).toBeVisible();
  await expect(word).toBeHidden();
  await page.keyboard.press('ControlOrMeta+b');
  await expect(word).toBeVisible();
});
