/** `report.mjs <exit code of the tests>` prints, over all the test reports that were written, "N passed, N failed". */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const folder = join(root, '.cache', 'reports');
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
const reports = names.map(read);
const passed = reports.reduce((sum, report) => sum + report.passed, 0);
const failed = reports.reduce((sum, report) => sum + report.failed, 0);
const exitCode = Number(process.argv[2] ?? 0);

// A check other than a test that failed (format, types, build) is one failure too.
console.log(`${passed} passed, ${failed === 0 && exitCode !== 0 ? 1 : failed} failed`);

/** A report that was cut off, or is none, is a failure: its results are not known. */
function read(name) {
  try {
    return count(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    console.log(`${name} cannot be read: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

function count(report) {
  if (report.stats)
    return { passed: report.stats.expected, failed: report.stats.unexpected + report.stats.flaky };
  // A file that does not even load has no tests that could fail.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}
