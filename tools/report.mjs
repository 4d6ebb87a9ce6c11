/**
 * `report.mjs <exit code of the tests>` prints "N passed, N failed" over all written test reports. A test
 * that passed only on a retry is named before that: it has a cause that must be found.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const folder = join(root, '.cache', 'reports');
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const reports = names.map(read);
const passed = reports.reduce((sum, report) => sum + report.passed, 0);
const failed = reports.reduce((sum, report) => sum + report.failed, 0);
const exitCode = Number(process.argv[2] ?? 0);
for (const title of reports.flatMap((report) => report.flaky))
  console.log(`passed only when it ran again: ${title}`);

// A failed check other than a test (format, types, build) counts as one failure too.
console.log(`${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);

/** A truncated or invalid report is a failure: its results are unknown. */
function read(name) {
  try {
    return count(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    console.log(`${name} cannot be read: ${error.message}`);
    return { passed: 0, failed: 1, flaky: [] };
  }
}

function count(report) {
  if (report.stats)
    return {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected,
      flaky: report.suites.flatMap(flakyIn),
    };
  // A file that fails to load has no tests that could fail.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const flaky = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages: [first] }) => `${fullName} (${first.split('\n')[0]})`),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, flaky };
}

function flakyIn({ suites = [], specs = [] }) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...own.map(({ file, title }) => `${file}: ${title}`), ...suites.flatMap(flakyIn)];
}
