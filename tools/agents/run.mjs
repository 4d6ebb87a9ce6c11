/**
 * `npm run test:agents [-- -t NAME]`: opencode, Codex, Claude Code, Gemini CLI, Qwen Code and OpenClaw, real
 * installations driven by Muster's core against a scripted model server on loopback. Arguments are passed to
 * vitest. On Linux and macOS.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../lib/paths.mjs';
import { must, run } from '../lib/run.mjs';
import { buildProcesses } from './build.mjs';
import { installAgents } from './install.mjs';
import { installOpenclaw } from './openclaw.mjs';

const say = (line) => console.log(`agents: ${line}`);
const report = join(root, '.cache', 'reports', 'vitest-agents.json');

async function test(env) {
  const config = join(root, 'e2e', 'agents', 'vitest.config.ts');
  const vitest = [modules('vitest', 'vitest.mjs'), 'run', '--config', config, ...process.argv.slice(2)];
  const environment = { ...process.env, ...env, VITEST_REPORT: report };
  const { code } = await run(process.execPath, vitest, { cwd: root, env: environment, show: true });
  return code ?? 1;
}

/** A skipped test is a failure, unless the arguments selected tests. */
function summary() {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const leftOut = process.argv.length > 2 ? 0 : numPendingTests;
  if (leftOut > 0) {
    process.exitCode = 1;
    say(`${leftOut} tests were left out: an agent is missing, or its sandbox does not start here`);
  }
  // A file that fails to load has no tests that could fail.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return `${numPassedTests} passed, ${numFailedTests + broken.length + leftOut} failed`;
}

try {
  if (process.platform === 'win32') throw new Error('these tests need Linux or macOS');
  await must(process.execPath, [join(root, 'tools', 'setup', 'index.mjs')]);
  const bin = await installAgents(say);
  const cli = await buildProcesses();
  rmSync(report, { force: true });
  const openclaw = await installOpenclaw(say);
  process.exitCode = await test({
    MUSTER_AGENTS_BIN: bin,
    MUSTER_AGENTS_CLI: cli,
    MUSTER_AGENTS_OPENCLAW: openclaw,
  });
  console.log(summary());
} catch (error) {
  console.error(`agents: ${error.message}`);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
