import type { Page } from '@playwright/test';
import { findings, findingsOfThemes } from '../fixtures/axe';
import { canDecide, expect, test } from '../fixtures/test';

const VIEWS = 'nav a[href^="#/"]';

async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect(page.locator('nav a[aria-current="page"]')).toBeVisible();
  // The view before stays hidden in the page until the code of this one is read.
  await expect(page.locator('main > [style*="display: none"]')).toHaveCount(0);
  await expect(page.locator('main > :not(h1)').first()).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

/** What floats over the inbox, by its keys, and what it is. */
const FLOATING = [
  { keys: ['Control+k'], within: 'dialog[open]' },
  { keys: ['?'], within: 'dialog[open]' },
  { keys: ['c'], within: 'dialog[open]' },
  { keys: ['Shift+C'], within: '[role="menu"]' },
  { keys: ['s'], within: '[role="menu"]' },
];

test('every view, section, dialog and menu of the sample is free of accessibility faults in both themes', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  // A colour on its way to another has the contrast of neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const project = await muster.call('project.createSample', {});
  const { runId } = await muster.call('run.start', {
    projectId: project.id,
    file: '.muster/workflows/release-notes.yaml',
  });
  await open(page, '#/inbox');
  await expect(page.getByRole('option', { name: /Publish\?/ })).toBeVisible();
  const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
  expect(Object.keys(state.sessions)).toContain('1');
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const views = await hrefs(VIEWS);
  expect(views.length).toBeGreaterThanOrEqual(11);
  const sections = 'work rules terminals worktrees deliveries notifications keys api system'.split(' ');
  const places = [
    ...views,
    ...[`#/run/${runId}`, `#/session/${runId}/1`, '#/search?q=notes', '#/runs/bin', '#/inbox/closed'],
    ...['#/loops/new', '#/teams/new', '#/questions/new', '#/sessions/grid'],
    ...sections.map((section) => `#/settings/${section}`),
  ];
  const found = await findingsOfThemes(page, 'the rail and the status bar');
  for (const place of places) {
    await open(page, place);
    // The frame around it is the same everywhere.
    found.push(...(await findingsOfThemes(page, place, 'main')));
    expect(await page.locator('h1').count(), `${place} has a heading`).toBeGreaterThan(0);
    const first = page.locator('main [role="option"]:visible, main [role="feed"] article:visible').first();
    if (place.startsWith('#/settings') || (await first.count()) === 0) continue;
    const before = await page.evaluate(() => location.hash);
    await first.click();
    // What was chosen already is what was looked at.
    if ((await page.evaluate(() => location.hash)) !== before)
      found.push(...(await findings(page, `${place} with its first entry`, 'main')));
  }
  for (const { keys, within } of FLOATING) {
    await open(page, `#/gate/${runId}/1`);
    await canDecide(page);
    for (const key of keys) await page.keyboard.press(key);
    await expect(page.locator(within)).toBeVisible();
    found.push(...(await findingsOfThemes(page, keys.join(' '), within)));
    await page.keyboard.press('Escape');
    await expect(page.locator(within)).toHaveCount(0);
  }
  expect(found).toEqual([]);

  // At 900x600 and at 200 % nothing is wider than the window, and in forced colours what is chosen is still marked.
  await muster.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600),
  );
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(900);
  const wide: string[] = [];
  const widerThanWindow = async (what: string) => {
    for (const place of [...views, `#/run/${runId}`, `#/session/${runId}/1`, '#/settings/keys']) {
      await open(page, place);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0) wide.push(`${place} at ${what}: ${over} px`);
    }
  };
  await widerThanWindow('900x600');
  await muster.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setContentSize(1280, 800);
    window?.webContents.setZoomFactor(2);
  });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(640);
  await widerThanWindow('200 %');
  expect(wide).toEqual([]);
  await muster.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1),
  );
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await open(page, '#/inbox');
  const looks = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, outlineStyle, borderInlineStart, color } = getComputedStyle(element);
        return [backgroundColor, outlineStyle, borderInlineStart, color].join(' ');
      });
  expect(await looks('nav a[aria-current="page"]')).not.toBe(await looks('nav a:not([aria-current])'));
});
