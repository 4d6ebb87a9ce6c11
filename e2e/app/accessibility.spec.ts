import type { Page } from '@playwright/test';
import { findings, findingsOfThemes } from '../fixtures/axe';
import { canDecide, expect, test } from '../fixtures/test';

const VIEWS = 'nav a[href^="#/"]';

/**
 * Goes to an address and waits until it is drawn, checked in each frame: polling from outside would cost more
 * than drawing.
 */
async function open(page: Page, hash: string): Promise<void> {
  await page.evaluate(async (to) => {
    if (location.hash === to) return;
    const changed = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
    location.hash = to;
    await changed;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, hash);
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    // The previous view stays hidden in the page until the code of this one is loaded.
    const isOld = main?.querySelector(':scope > [style*="display: none"]') !== null;
    const isBusy = main?.querySelector('[aria-busy="true"]') !== null;
    const drawn = main?.querySelector(':scope > :not(h1)')?.getBoundingClientRect().height ?? 0;
    const named = document.querySelector('nav a[aria-current="page"]');
    return named !== null && !isOld && !isBusy && drawn > 0;
  });
}

/** In the page: elements wider than their parent, apart from code, tables, terminals and the canvas. */
function scrolledSideways(): string[] {
  const own = 'pre, .diff-lines, table, .xterm, .react-flow, .cm-scroller, textarea, input';
  return [...document.querySelectorAll<HTMLElement>('html, body, main, main *')]
    .filter(
      (element) =>
        element.closest(own) === null && element.querySelector(':scope > pre, :scope > table') === null,
    )
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
    .filter(
      (element) =>
        element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX),
    )
    .map(
      (element) =>
        `${element.tagName} ${element.className} by ${element.scrollWidth - element.clientWidth} px`,
    );
}

/** An overlay of a view, by its keys, and its role. */
interface Floating {
  readonly at: string;
  readonly keys: readonly string[];
  readonly within: string;
  /** Typed into the field that the keys open, and sent. */
  readonly says?: string;
}

const SLEEPS = '.muster/workflows/sleeps.yaml';
const sleeps = `name: Sleeps
steps:
  - {id: sleep, type: step.command, config: {script: sleep 600, terminal: false}}
`;

const dialog = 'dialog[open]';
const floating = ({ asking, working, team }: Record<'asking' | 'working' | 'team', number>): Floating[] => [
  { at: `#/gate/${asking}/1`, keys: ['Control+k'], within: dialog },
  { at: `#/gate/${asking}/1`, keys: ['?'], within: dialog },
  { at: `#/gate/${asking}/1`, keys: ['c'], within: dialog },
  { at: `#/gate/${asking}/1`, keys: ['Shift+C'], within: '[role="menu"]' },
  { at: `#/gate/${asking}/1`, keys: ['s'], within: '[role="menu"]' },
  { at: `#/run/${working}`, keys: ['Shift+X'], within: dialog },
  { at: `#/team/${team}`, keys: ['Shift+T'], within: dialog },
  { at: `#/team/${team}`, keys: ['m'], within: '[role="alertdialog"]', says: '@S1 I will be satisfied soon' },
];

/** Dialogs that only the palette opens. */
const BY_PALETTE = ['New workflow', 'Save the steps as a workflow'];

test('every view, section, dialog and menu of the sample is free of accessibility faults in both themes', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  // A colour in transition has the contrast of neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const project = await muster.call('project.createSample', {});
  const { runId } = await muster.call('run.start', {
    projectId: project.id,
    file: '.muster/workflows/release-notes.yaml',
  });
  const templates = await muster.call('team.templates', { projectId: project.id });
  const { name = '', config } = templates[0] ?? {};
  const team = await muster.call('team.start', { projectId: project.id, name, config: config ?? {} });
  const slow = await bench.project(muster, { [SLEEPS]: sleeps });
  const bare = await bench.project(muster, {});
  const working = await muster.call('run.start', { projectId: slow.id, file: SLEEPS });
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  const views = await hrefs(VIEWS);
  expect(views.length).toBeGreaterThanOrEqual(11);
  const sections = 'work rules terminals worktrees deliveries notifications keys api system'.split(' ');
  // Views without a run are checked while the runs end.
  const calm = [
    ...sections.map((section) => `#/settings/${section}`),
    ...['#/settings', '#/workflows', '#/agents', '#/prompts', '#/search', '#/loops', '#/questions'],
    `#/workflows/${bare.id}`,
    ...['#/loops/new', '#/teams/new', '#/questions/new', '#/runs/bin', '#/inbox/closed'],
  ];
  const places = [
    ...calm,
    ...views.filter((view) => !calm.includes(view)),
    ...[`#/run/${runId}`, `#/session/${runId}/1`, '#/search?q=notes', '#/sessions/grid'],
  ];
  const runsRest = async () => {
    const { state } = await bench.until(muster, runId, ({ row }) => row.openGates === 1);
    expect(Object.keys(state.sessions)).toContain('1');
    await bench.until(muster, team.runId, ({ state: { teams } }) =>
      Object.values(teams[1]?.members ?? {}).every(({ rounds }) => rounds[0]?.result != null),
    );
  };
  const found = await findingsOfThemes(page, 'the rail and the status bar');
  const look = async (what: string, within: string) => {
    await expect(page.locator(within)).toBeVisible();
    found.push(...(await findingsOfThemes(page, what, within)));
    await page.keyboard.press('Escape');
    await expect(page.locator(within)).toHaveCount(0);
  };
  for (const place of places) {
    if (place === places[calm.length]) await runsRest();
    await open(page, place);
    // The surrounding frame is the same everywhere.
    found.push(...(await findingsOfThemes(page, place, 'main')));
    expect(await page.locator('h1').count(), `${place} has a heading`).toBeGreaterThan(0);
    found.push(...(await page.evaluate(scrolledSideways)).map((one) => `${place} scrolls sideways: ${one}`));
    const first = page.locator('main [role="option"]:visible, main [role="feed"] article:visible').first();
    if (place.startsWith('#/settings') || (await first.count()) === 0) continue;
    const before = await page.evaluate(() => location.hash);
    await first.click();
    // What was selected already has been checked.
    if ((await page.evaluate(() => location.hash)) !== before)
      found.push(...(await findings(page, `${place} with its first entry`, 'main')));
  }
  const runs = { asking: runId, working: working.runId, team: team.runId };
  for (const { at, keys, says, within } of floating(runs)) {
    await open(page, at);
    if (at.startsWith('#/gate')) await canDecide(page);
    const shown = page.locator(says === undefined ? within : 'textarea:focus');
    // On a busy machine a page is there before its keys are.
    await expect(async () => {
      if (!(await shown.isVisible())) for (const key of keys) await page.keyboard.press(key);
      await expect(shown).toBeVisible({ timeout: 2_000 });
    }).toPass();
    if (says !== undefined) {
      await page.keyboard.type(says);
      await page.keyboard.press('ControlOrMeta+Enter');
    }
    await look(keys.join(' '), within);
  }
  for (const action of BY_PALETTE) {
    await open(page, `#/run/${runId}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(action);
    await page.getByRole('dialog').getByRole('option', { name: action }).first().click();
    await expect(page.getByRole('dialog', { name: /workflow/ })).toBeVisible();
    await look(action, dialog);
  }
  expect(found).toEqual([]);

  // At 900x600 and at 200 % nothing is wider than the window, and in forced colours the selection is still
  // marked.
  await muster.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600),
  );
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(900);
  const wide: string[] = [];
  const widerThanWindow = async (what: string) => {
    for (const place of [...views, `#/run/${runId}`, `#/session/${runId}/1`, '#/settings/keys']) {
      await open(page, place);
      const over = await page.evaluate(scrolledSideways);
      wide.push(...over.map((one) => `${place} at ${what}: ${one}`));
    }
  };
  await widerThanWindow('900x600');
  // The list is there, and comes back by its key if the side panel has replaced it.
  await open(page, `#/team/${team.runId}`);
  const list = page.locator('[data-part="column-list"]');
  await expect(list).toBeVisible();
  await page.keyboard.press(']');
  await expect(list).toBeHidden();
  await page.keyboard.press('[');
  await expect(list).toBeVisible();
  await muster.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.setContentSize(1280, 800);
  });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(1280);
  await muster.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2),
  );
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
