/** What the written reports of the tests say. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const folder = join(root, '.cache', 'reports');
/** The slowest tests that are named, and the lines of a failure that are shown again. */
const SLOWEST = 20;
const LINES = 6;

/** Prints the slowest tests, every failure of every kind, and "N passed, N failed". */
export function report(failedJobs) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const tests = names.flatMap(read);
  const failed = tests.filter(({ failure }) => failure !== null);
  const slowest = tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  if (slowest.length > 0) console.log(`\nthe slowest ${slowest.length} tests:`);
  for (const { title, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`);
  for (const { title } of tests.filter(({ again }) => again))
    console.log(`passed only when it ran again: ${title}`);
  if (failedJobs.length > 0) console.log(`\nfailed: ${failedJobs.join(', ')}`);
  for (const { title, failure } of failed)
    console.log(`\nFAILED  ${title}\n${failure.split('\n').slice(0, LINES).join('\n')}`);
  // A failed check other than a test (format, types, build) counts as one failure each.
  const count = Math.max(failed.length, failedJobs.length);
  console.log(`\n${tests.length - failed.length} passed, ${count} failed`);
}

/** A truncated or invalid report is a failure: its results are unknown. */
function read(name) {
  try {
    const written = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return written.stats ? written.suites.flatMap((suite) => ofPlaywright(suite)) : ofVitest(written);
  } catch (error) {
    return [{ title: `${name} cannot be read`, seconds: 0, failure: error.message }];
  }
}

function ofVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.slice(root.length + 1);
    // A file that fails to load has no tests that could fail.
    if (status === 'failed' && assertionResults.length === 0)
      return [{ title: file, seconds: 0, failure: message ?? 'cannot be loaded' }];
    return assertionResults
      .filter(({ status: end }) => end === 'passed' || end === 'failed')
      .map(({ fullName, status: end, duration = 0, failureMessages }) => ({
        title: `${file}: ${fullName}`,
        seconds: duration / 1000,
        failure: end === 'failed' ? failureMessages.join('\n') : null,
        again: end === 'passed' && failureMessages.length > 0,
      }));
  });
}

function ofPlaywright({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status, results }) => ({
        title: `e2e/${file}: ${title}`,
        again: status === 'flaky',
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        failure:
          status === 'expected' || status === 'flaky'
            ? null
            : results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n') ||
              'ended without a result',
      })),
  );
  return [...own, ...suites.flatMap(ofPlaywright)];
}
