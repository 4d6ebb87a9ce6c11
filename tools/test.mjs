/**
 * `npm test`: static checks, unit tests, adapter tests, and end-to-end tests as soon as the app is built. Everything
 * runs even when something has failed; the last lines name each fault of every kind.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { staticChecks } from './check/static.mjs';
import { runJobs, script, tool } from './lib/jobs.mjs';
import { root } from './lib/paths.mjs';
import { report } from './report.mjs';

rmSync(join(root, '.cache', 'reports'), { recursive: true, force: true });
const built = { after: ['build'] };
/** Jobs with a worker for each processor. */
const workers = availableParallelism();
/** On Linux with the package that its test installs. */
const packed = process.platform === 'linux' ? ['--only=deb', '--fast'] : ['--dir'];
const failed = await runJobs({
  build: script('electron-vite/bin/electron-vite.js', ['build', '--logLevel=warn']),
  'end-to-end tests': tool('e2e.mjs', ['app'], { ...built, workers }),
  "adapter tests in Electron's Node": tool('test-electron.mjs', [], { workers }),
  'unit tests': script('vitest/vitest.mjs', ['run', '--project=!adapters*'], { workers }),
  'tests of components': tool('e2e.mjs', ['components', '--workers=1']),
  'packed app': tool('package/index.mjs', packed, built),
  'tests of the packed app': tool('e2e.mjs', ['package', '--workers=1'], { after: ['packed app'] }),
  ...staticChecks,
});
report(failed);
process.exitCode = failed.length > 0 ? 1 : 0;
