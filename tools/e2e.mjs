/** `e2e.mjs app|package [args]`: Playwright on the built or on the packed app, under a virtual display where needed. */
import { foreground } from './lib/foreground.mjs';
import { modules, root } from './lib/paths.mjs';

const [project, ...args] = process.argv.slice(2);

process.chdir(root);
const playwright = modules('@playwright', 'test', 'cli.js');
await foreground(process.execPath, [playwright, 'test', `--project=${project}`, ...args], {
  ...process.env,
  PLAYWRIGHT_REPORT: `.cache/reports/playwright-${project}.json`,
});
