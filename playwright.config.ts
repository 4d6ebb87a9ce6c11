import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

// A data folder that these name is in use: tests must not write there.
for (const name of ['MUSTER_DATA_DIR', 'MUSTER_DB']) delete process.env[name];

// The login shells of tests read no one's profile: one that is killed in the middle of it may leave its locks there.
const home = join(import.meta.dirname, '.cache', 'home');
mkdirSync(home, { recursive: true });
process.env.HOME = home;

/** The display of this worker (tools/e2e.mjs). */
const displays: Record<string, string>[] = JSON.parse(process.env.MUSTER_TEST_DISPLAYS ?? '[]');
Object.assign(process.env, displays[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]);

/** Playwright takes files by name; a long test that came last would leave the other workers idle. */
const LONG = ['app/team{-large,s}.spec.ts', 'durability/durability.spec.ts', '{queues,team}-cli.spec.ts'];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Projects may run side by side, and each run empties the folder of its results.
  projects: [
    { name: 'app-long', outputDir: 'test-results/app', testMatch: LONG },
    { name: 'app', outputDir: 'test-results/app', testIgnore: ['package/**', 'components/**', ...LONG] },
    // Single parts of the window; tools/e2e.mjs builds the page that shows them.
    { name: 'components', outputDir: 'test-results/components', testMatch: 'components/**/*.spec.ts' },
    // Needs what `npm run package` leaves in dist/.
    { name: 'package', outputDir: 'test-results/package', testMatch: 'package/**/*.spec.ts' },
  ],
  // tools/e2e.mjs says how many workers. Every test has a data folder of its own, so any of them may run side by side.
  workers: 1,
  fullyParallel: true,
  // A test that passes only the second time is named last in the run (tools/report.mjs): its cause is to be found.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  // No test is timed: these end what hangs.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // A trace would take a tenth more time. The fixtures keep what explains a failure (e2e/fixtures/evidence.ts).
  use: { trace: 'off' },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_REPORT ?? '.cache/reports/playwright.json' }],
  ],
});
