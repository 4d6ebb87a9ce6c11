/**
 * The one command before every commit: the static checks, the unit tests and the adapter tests side by side. Runs every
 * check, also after one has failed, and then says which failed. With --build it builds the app too.
 */
import { join } from 'node:path';
import { checkExamples } from '../examples/index.mjs';
import { modules, root } from '../lib/paths.mjs';
import { must } from '../lib/run.mjs';
import { agentNamesSelfTest, checkAgentNames } from './agent-names.mjs';
import { selfTest } from './boundaries.selftest.mjs';
import { checkCssModules, cssModulesSelfTest } from './css-modules.mjs';
import { checkDurations, durationsSelfTest } from './durations.mjs';
import { countExemptions } from './exemptions.mjs';
import { checkFeatureNames, featureNamesSelfTest } from './feature-names.mjs';
import { lintSelfTest } from './lint.selftest.mjs';
import { checkOwnKeys, ownKeysSelfTest } from './own-keys.mjs';
import { checkProse, proseSelfTest } from './prose.mjs';

const inTerminal = process.stdout.isTTY === true;
const env = {
  ...process.env,
  ...(inTerminal ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }),
};
const node = (file, ...args) =>
  must(process.execPath, [modules(...file.split('/')), ...args], { cwd: root, env, tail: 400 });

const statically = {
  'format and lint': () =>
    node(
      '@biomejs/biome/bin/biome',
      'ci',
      `--colors=${inTerminal ? 'force' : 'off'}`,
      '--error-on-warnings',
      '--max-diagnostics=200',
      '.',
    ),
  // TypeScript 7's compiler; `typescript` itself is 6, whose API dependency-cruiser needs.
  types: () => node('typescript-native/bin/tsc', '-b', '--pretty', String(inTerminal)),
  boundaries: () =>
    node('dependency-cruiser/bin/dependency-cruise.mjs', 'src', '--config', 'tools/check/boundaries.mjs'),
  'boundaries and lint rules do fail': async () =>
    `${await selfTest()} boundary rules, ${await lintSelfTest()} lint rules, ${ownKeysSelfTest()} unsafe lookups, ${agentNamesSelfTest()} names of agents, ${featureNamesSelfTest()} names of features, ${cssModulesSelfTest()} faults in style sheets, ${durationsSelfTest()} durations and ${proseSelfTest()} of prose proven by planted violations`,
  'lookups by names from outside': async () => checkOwnKeys(),
  'names of agents': async () => checkAgentNames(),
  'names of features': async () => checkFeatureNames(),
  'style sheets': async () => checkCssModules(),
  durations: async () => checkDurations(),
  prose: async () => checkProse(),
  'examples of CONTRIBUTING.md': () => checkExamples(),
  'unused code': () => node('knip/bin/knip.js', '--config', 'tools/check/knip.json', '--no-progress'),
};

/** Each list runs in order, beside the others: the tests leave processors idle while they wait. */
const lists = [
  process.argv.includes('--build')
    ? { build: () => node('electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn'), ...statically }
    : statically,
  { 'unit tests': () => node('vitest/vitest.mjs', 'run', '--project=pure', '--project=unit') },
  {
    "adapter tests in Electron's Node": () =>
      must(process.execPath, [join(root, 'tools', 'test-electron.mjs')], { cwd: root, env, tail: 400 }),
  },
];

const failed = [];
await Promise.all(lists.map(runInOrder));
console.log(`exemptions from lint and types: ${countExemptions()}`);
if (failed.length > 0) console.error(`check failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runInOrder(checks) {
  for (const [name, check] of Object.entries(checks)) {
    const started = performance.now();
    const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
    try {
      const output = await check();
      console.log(`ok      ${name} (${seconds()} s)  ${lastLine(output)}`);
    } catch (error) {
      failed.push(name);
      console.log(`FAILED  ${name} (${seconds()} s)\n${error.message}`);
    }
  }
}

function lastLine(output) {
  const line = output?.split('\n').findLast((text) => /proven by|Tests /.test(text));
  return line?.trim() ?? '';
}
