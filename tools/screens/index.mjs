/**
 * `npm run screens -- [OUT]`: a picture of every view, state and gate of the built app, light and dark, in windows of
 * 1280x800 and 1920x1080 pixels, on sample data that scripted agents made. The sample is made once, and opened again
 * each time with the clock of the page standing still; --fresh makes it again, as a change of its files does.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { needsVirtualDisplay, virtualDisplay } from '../lib/display.mjs';
import { root } from '../lib/paths.mjs';
import { atRest, emptyFolder, openApp, resize, stopClock } from './app.mjs';
import { differences } from './compare.mjs';
import {
  namesOfCases,
  placesOf,
  placesOfCases,
  placesOfDown,
  placesOfLoading,
  placesOfNothing,
  placesOfQuiet,
} from './places.mjs';
import { beginWatch, makeSample } from './sample.mjs';
import { makeCases } from './sample-cases.mjs';

const SIZES = {
  1280: { width: 1280, height: 800 },
  1920: { width: 1920, height: 1080 },
  900: { width: 900, height: 600 },
  // A window of 1280x800 at a zoom of 200 %.
  640: { width: 640, height: 400 },
};
const THEMES = ['light', 'dark'];

/** Pictures of the README, by file name. */
const README = {
  'screenshot.png': 'run-gated-canvas-1920-light.png',
  'screenshot-gate.png': 'gate-ship-1280-dark.png',
  'screenshot-team.png': 'teams-1280-light.png',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: join(root, '.cache', 'screens-sample') },
    app: { type: 'string', default: root },
    against: { type: 'string' },
    only: { type: 'string' },
    size: { type: 'string' },
    theme: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
});
const out = resolve(positionals[0] ?? join(root, '.cache', 'screens'));
const sample = resolve(values.sample);
const data = join(sample, 'data');
const kept = join(sample, 'kept');
const madeAt = join(sample, 'made-at');

const display = needsVirtualDisplay() ? await virtualDisplay() : undefined;
const open = (folder) => openApp({ cwd: values.app, data: folder, env: display?.env });

/** The inputs of the sample data: it is made again if they have changed. */
function recipe() {
  const files = [
    'sample.mjs',
    'project.mjs',
    'sample-files.mjs',
    'sample-scripts.mjs',
    'sample-loop.mjs',
    'model.mjs',
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex');
}

/**
 * The sample data in its original state, and the time of its creation; agents' work in the projects is not
 * done again.
 */
async function freshSample() {
  const [at, made] = existsSync(madeAt) ? readFileSync(madeAt, 'utf8').split(' ') : [];
  if (values.fresh || made !== recipe()) {
    emptyFolder(sample);
    const { app, call } = await open(data);
    await makeSample(call, sample);
    await app.close();
    cpSync(data, kept, { recursive: true, verbatimSymlinks: true });
    writeFileSync(madeAt, `${Date.now()} ${recipe()}`);
    return Date.now();
  }
  rmSync(data, { recursive: true, force: true });
  cpSync(kept, data, { recursive: true, verbatimSymlinks: true });
  return Number(at);
}

const wanted = ({ name }) =>
  values.only === undefined || values.only.split(',').some((part) => name.includes(part));
const sizesOf = ({ small }) =>
  Object.keys(SIZES).filter((size) => (values.size ?? size) === size && (Number(size) > 900 || small));
const themes = THEMES.filter((theme) => (values.theme ?? theme) === theme);

/** The steps of a canvas are laid out by a worker. */
const isCanvas = ({ name, hash }) => /show=canvas|[?&]step=/.test(hash) || name.startsWith('workflow-canvas');

/** Takes pictures of these places, in each size and theme. */
async function shoot(opened, places) {
  const { page } = opened;
  // The element under the pointer would look different.
  await page.mouse.move(0, 0);
  for (const place of places.filter(wanted)) {
    await page.evaluate((to) => {
      location.hash = to;
    }, place.hash);
    for (const size of sizesOf(place)) {
      await resize(opened, SIZES[size]);
      // What floats is closed by another size.
      if (place.act !== undefined) {
        await atRest(page);
        await place
          .act(page)
          .catch((error) => console.error(`${place.name}: ${error.message.split('\n')[0]}`));
      }
      if (isCanvas(place)) await page.locator('.react-flow__node').first().waitFor({ timeout: 20_000 });
      for (const theme of themes) {
        await page.evaluate((to) => {
          document.documentElement.dataset.theme = to;
        }, theme);
        // Terminals and charts are told of new colours by the system.
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        writeFileSync(join(out, `${place.name}-${size}-${theme}.png`), await atRest(page, place.busy));
      }
      if (place.act !== undefined) {
        await place.back?.(page);
        await page.evaluate((to) => {
          location.hash = to;
        }, place.hash);
        await page.reload();
      }
    }
  }
}

/** Opens the app on a data folder, prepares it, and takes pictures of the places it finds. */
async function shootIn(folder, { at = Date.now, prepare = async () => undefined, find }) {
  const opened = await open(folder);
  await prepare(opened.call);
  await stopClock(opened.page, at());
  // A build newer than the one that made the sample data reports a migration of the database.
  await opened.page
    .getByRole('button', { name: 'Dismiss' })
    .click({ timeout: 1_500 })
    .catch(() => undefined);
  await shoot(opened, await find(opened.call));
  return opened;
}

/** Kills the core as often as it starts, until it is not started again. */
async function downCore({ page, call }) {
  for (;;) {
    const { core } = await call('system.status', {});
    if (core.state === 'failed') return;
    if (core.state === 'running') process.kill(core.pid, 'SIGKILL');
    await page.waitForTimeout(100);
  }
}

/** Pictures of a window whose core does not answer, and of one whose core is down. */
async function shootTrouble(opened) {
  if (any(placesOfLoading)) {
    const { core } = await opened.call('system.status', {});
    process.kill(core.pid, 'SIGSTOP');
    await opened.page.reload();
    await shoot(opened, placesOfLoading);
    process.kill(core.pid, 'SIGCONT');
  }
  if (!any(placesOfDown)) return;
  await downCore(opened);
  await shoot(opened, placesOfDown);
}

const any = (places) => places.some(wanted);
emptyFolder(out);
const at = await freshSample();
const full = await shootIn(data, { at: () => at, prepare: beginWatch, find: placesOf });
if (values.against !== undefined) {
  let differing = 0;
  const before = resolve(values.against);
  for (const file of readdirSync(out).filter((one) => one.endsWith('.png'))) {
    const found = existsSync(join(before, file))
      ? await differences(full.page, join(before, file), join(out, file))
      : 'no picture before';
    if (found === null) continue;
    differing += 1;
    console.log(`${file}: ${found}`);
  }
  console.log(`screens: ${differing} of ${readdirSync(out).length} pictures differ`);
  process.exitCode = differing > 0 ? 1 : 0;
}
await shootTrouble(full);
await full.app.close();
if (any(placesOfNothing)) {
  emptyFolder(join(sample, 'nothing'));
  const nothing = await shootIn(join(sample, 'nothing'), { find: () => placesOfNothing });
  await nothing.app.close();
}
if (any(placesOfQuiet)) {
  emptyFolder(join(sample, 'quiet'));
  const prepare = (call) => call('project.createSample', { path: join(sample, 'quiet-project') });
  rmSync(join(sample, 'quiet-project'), { recursive: true, force: true });
  const quiet = await shootIn(join(sample, 'quiet'), { prepare, find: () => placesOfQuiet });
  await quiet.app.close();
}
if (any(namesOfCases)) {
  emptyFolder(join(sample, 'cases'));
  emptyFolder(join(sample, 'cases-project'));
  const prepare = (call) => makeCases(call, join(sample, 'cases-project'));
  const cases = await shootIn(join(sample, 'cases'), { prepare, find: placesOfCases });
  await cases.app.close();
}
if (values.readme)
  for (const [file, picture] of Object.entries(README))
    copyFileSync(join(out, picture), join(root, 'resources', file));
display?.close();
console.log(`screens: ${readdirSync(out).length} pictures in ${out}`);
