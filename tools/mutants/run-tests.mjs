import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { electronExecutable, modules } from '../lib/paths.mjs';

/** A test that a fault keeps from ending counts as failed then. */
const LONGEST_MS = 5 * 60_000;

/** These run where the app runs them: in Electron's Node. */
const isAdapter = (file) => /^src\/(?:main\/adapters|features\/[^/]+\/node\/git)\//.test(file);

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) end(child);
    process.exit(1);
  });

/** With the processes that its tests started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Runs test files of the copy, or all (`null`) up to the first failure. Returns the titles of the failed tests,
 * and what else kept the run from passing.
 */
export async function failures(copy, files) {
  const adapters = files?.filter(isAdapter) ?? null;
  const others = files?.filter((file) => !isAdapter(file)) ?? null;
  const found = { titles: [], trouble: [] };
  for (const [some, project] of [
    [others, '--project=!adapters*'],
    [adapters, '--project=adapters*'],
  ]) {
    if (some?.length === 0) continue;
    const { titles, trouble } = await failuresOf(copy, { files: some, project });
    found.titles.push(...titles);
    found.trouble.push(...trouble);
    if (files === null && found.titles.length > 0) return found;
  }
  return found;
}

async function failuresOf(copy, { files, project }) {
  const report = join(copy, '.cache', 'reports', 'mutant.json');
  rmSync(report, { force: true });
  const args = [modules('vitest', 'vitest.mjs'), 'run', project, '--retry=0'];
  const electron = project === '--project=adapters*';
  const code = await ended(electron ? electronExecutable() : process.execPath, {
    args: [...args, ...(files === null ? ['--bail=1'] : files)],
    cwd: copy,
    env: { VITEST_REPORT: report, ...(electron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
  });
  if (code === null) return { titles: ['(its tests do not end)'], trouble: [] };
  return readReport(report, code);
}

/** The exit code; null if it took too long. */
function ended(command, { args, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...{ cwd, env: { ...process.env, ...env } },
      ...{ stdio: 'ignore', detached: true },
    });
    running.add(child);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      end(child);
    }, LONGEST_MS);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      running.delete(child);
      end(child);
      resolve(late ? null : code);
    });
  });
}

function readReport(report, code) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return { titles: [], trouble: [`the tests ended with ${code} and without a report`] };
  }
  const titles = results.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  // A file that cannot be loaded shows nothing about the fault.
  const broken = results.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const trouble = broken.map(({ name, message }) => `${name}: ${String(message).split('\n')[0]}`);
  if (code !== 0 && titles.length === 0 && trouble.length === 0) trouble.push(`the tests ended with ${code}`);
  return { titles, trouble };
}
