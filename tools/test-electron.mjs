/** The adapter tests in Electron's Node, where the app runs them. Arguments go to vitest. */
import { foreground } from './lib/foreground.mjs';
import { electronExecutable, modules, root } from './lib/paths.mjs';

process.chdir(root);
const vitest = [modules('vitest', 'vitest.mjs'), 'run', '--project=adapters*', ...process.argv.slice(2)];
await foreground(electronExecutable(), vitest, {
  ...process.env,
  ELECTRON_RUN_AS_NODE: '1',
  VITEST_REPORT: '.cache/reports/vitest-electron.json',
});
