/**
 * `e2e.mjs app|components|package [args]`: Playwright on the built app, on single components of its window,
 * or on the packed app. On a machine without a display each worker gets its own virtual one, so that no app
 * takes the focus from another.
 */
import { availableParallelism } from 'node:os';
import { buildComponentPage } from './lib/component-page.mjs';
import { needsVirtualDisplay, virtualDisplay } from './lib/display.mjs';
import { foreground } from './lib/foreground.mjs';
import { modules, root } from './lib/paths.mjs';
import { testFolder } from './lib/test-folder.mjs';

/** As many as processors: an app is several processes, so that one more only makes all of them slower. */
const WORKERS = Math.min(Math.max(2, availableParallelism()), 4);

const [project, ...args] = process.argv.slice(2);

/** Those of the app whose long tests start first are a project of their own (playwright.config.ts). */
const projects = project === 'app' ? ['app-long', 'app'] : [project];

process.chdir(root);
if (project === 'components') await buildComponentPage(root);
const folder = testFolder();
process.on('exit', () => folder.remove());
const workers = needsVirtualDisplay() ? WORKERS : 1;
const displays = needsVirtualDisplay()
  ? await Promise.all(Array.from({ length: workers }, () => virtualDisplay()))
  : [];
const playwright = modules('@playwright', 'test', 'cli.js');
await foreground(
  process.execPath,
  [playwright, 'test', ...projects.map((name) => `--project=${name}`), `--workers=${workers}`, ...args],
  {
    ...process.env,
    ...folder.env,
    // playwright.config.ts gives each worker its own.
    ...displays[0]?.env,
    MUSTER_TEST_DISPLAYS: JSON.stringify(displays.map(({ env }) => env)),
    PLAYWRIGHT_REPORT: `.cache/reports/playwright-${project}.json`,
  },
);
