/**
 * `node tools/screens/index.mjs OUT --sample FOLDER [--against BEFORE]`: a picture of every view of the built app, light
 * and dark, on sample data that is made once in FOLDER and opened again each time with the clock of the page standing
 * still. With --against, each picture is compared with the one of the same name, and what differs is told.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { _electron } from '@playwright/test';
import { needsVirtualDisplay, virtualDisplay } from '../lib/display.mjs';
import { root } from '../lib/paths.mjs';
import { sandboxObstacle } from '../lib/sandbox.mjs';
import { differences } from './compare.mjs';
import { placesOf } from './places.mjs';
import { makeSample } from './sample.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
    app: { type: 'string', default: root },
  },
});
if (positionals[0] === undefined || values.sample === undefined) {
  console.error('screens: screens OUT --sample FOLDER [--against BEFORE] [--only PART-OF-A-NAME]');
  process.exit(2);
}
const out = resolve(positionals[0]);
const sample = resolve(values.sample);
const data = join(sample, 'data');
const kept = join(sample, 'kept');
const SIZE = { width: 1280, height: 800 };

const display = needsVirtualDisplay() ? await virtualDisplay() : undefined;

async function open() {
  const app = await _electron.launch({
    args: [...(sandboxObstacle() ? ['--no-sandbox'] : []), '.', '--data-dir', data],
    cwd: values.app,
    env: { ...process.env, ...display?.env, MUSTER_QUIT_ANSWER: 'park' },
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('domcontentloaded');
  const call = async (name, input) => {
    const reply = await page.evaluate(([to, of]) => window.muster.call(to, of), [name, input]);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value;
  };
  return { app, page, call };
}

/** The sample as it was when it was made; agents' work in the projects is not done again. */
async function freshSample() {
  if (!existsSync(kept)) {
    rmSync(sample, { recursive: true, force: true });
    mkdirSync(data, { recursive: true });
    const { app, call } = await open();
    await makeSample(call, sample);
    await app.close();
    writeFileSync(join(sample, 'made-at'), String(Date.now()));
    cpSync(data, kept, { recursive: true, verbatimSymlinks: true });
  }
  rmSync(data, { recursive: true, force: true });
  cpSync(kept, data, { recursive: true, verbatimSymlinks: true });
  return Number(readFileSync(join(sample, 'made-at'), 'utf8'));
}

/** A picture that stays the same for a moment: nothing moves any more. */
async function atRest(page) {
  let last = null;
  let same = 0;
  for (let tries = 0; tries < 40 && same < 3; tries += 1) {
    await page.waitForTimeout(200);
    const now = await page.screenshot({ caret: 'hide', animations: 'disabled' });
    same = last?.equals(now) ? same + 1 : 0;
    last = now;
  }
  return last;
}

const at = await freshSample();
const { app, page, call } = await open();
await page.addInitScript((now) => {
  Date.now = () => now;
}, at);
await app.evaluate(
  ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0].setContentSize(size.width, size.height),
  SIZE,
);
await page.reload();
// A newer build than the one that made the sample says that it has migrated the database.
await page
  .getByRole('button', { name: 'Dismiss' })
  .click({ timeout: 3_000 })
  .catch(() => undefined);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const { name, hash, act } of await placesOf(call)) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  for (const theme of ['light', 'dark']) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await page.evaluate((to) => {
      document.documentElement.dataset.theme = to;
    }, theme);
    if (act !== undefined) await act(page);
    writeFileSync(join(out, `${name}-${theme}.png`), await atRest(page));
    if (act !== undefined) await page.reload();
  }
}
if (values.against !== undefined) {
  let differing = 0;
  const before = resolve(values.against);
  for (const file of readdirSync(out).filter((one) => one.endsWith('.png'))) {
    const found = existsSync(join(before, file))
      ? await differences(page, join(before, file), join(out, file))
      : 'no picture before';
    if (found === null) continue;
    differing += 1;
    console.log(`${file}: ${found}`);
  }
  console.log(`screens: ${differing} of ${readdirSync(out).length} pictures differ`);
  process.exitCode = differing > 0 ? 1 : 0;
}
await app.close();
display?.close();
