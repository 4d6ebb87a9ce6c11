import { mkdirSync, rmSync } from 'node:fs';
import { _electron } from '@playwright/test';
import { sandboxObstacle } from '../lib/sandbox.mjs';

/** Opens the built app in a folder with a data folder. */
export async function openApp({ cwd, data, env }) {
  mkdirSync(data, { recursive: true });
  const app = await _electron.launch({
    args: [...(sandboxObstacle() ? ['--no-sandbox'] : []), '.', '--data-dir', data],
    cwd,
    env: { ...process.env, ...env, MUSTER_QUIT_ANSWER: 'park' },
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('domcontentloaded');
  // A colour in transition would differ in each picture.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const call = async (name, input) => {
    const reply = await page.evaluate(([to, of]) => window.muster.call(to, of), [name, input]);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value;
  };
  return { app, page, call };
}

/** Sets the page size, which may exceed the screen. */
export const resize = ({ page }, { width, height }) => page.setViewportSize({ width, height });

/** Stops the page's own clock. */
export async function stopClock(page, at) {
  await page.addInitScript((now) => {
    Date.now = () => now;
  }, at);
  await page.reload();
}

const LOOK_MS = 70;
const MOST_LOOKS = 60;
/** Code loaded later, such as that of a chart, may appear after a moment without changes. */
const EQUAL_LOOKS = 4;

/** A picture that stays the same for a moment: nothing moves any more. `busy`: something is loading, and stays so. */
export async function atRest(page, busy = false) {
  const loaded = page
    .waitForFunction(
      () => {
        return document.querySelector('main [aria-busy="true"], main > [style*="display: none"]') === null;
      },
      undefined,
      { timeout: 15_000 },
    )
    .catch(() => undefined);
  if (!busy) await loaded;
  let last = null;
  let equal = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const now = await page.screenshot({ caret: 'hide', animations: 'disabled' });
    equal = last?.equals(now) ? equal + 1 : 0;
    if (equal === EQUAL_LOOKS) break;
    last = now;
    await page.waitForTimeout(LOOK_MS);
  }
  return last;
}

export const emptyFolder = (path) => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
};
