/**
 * The command to run before every commit: the static checks. With --all it also builds the app, and runs the
 * unit tests and the adapter tests. It runs every check, even after one has failed, and then names those that
 * failed.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkExamples } from '../examples/index.mjs';
import { modules, root } from '../lib/paths.mjs';
import { must } from '../lib/run.mjs';
import { agentNamesSelfTest, checkAgentNames } from './agent-names.mjs';
import { selfTest } from './boundaries.selftest.mjs';
import { checkCssModules, cssModulesSelfTest } from './css-modules.mjs';
import { checkDocuments, documentsSelfTest } from './documents.mjs';
import { checkDurations, durationsSelfTest } from './durations.mjs';
import { countExemptions } from './exemptions.mjs';
import { checkFeatureNames, featureNamesSelfTest } from './feature-names.mjs';
import { checkFileLengths, fileLengthsSelfTest } from './file-lengths.mjs';
import { lintSelfTest } from './lint.selftest.mjs';
import { ownKeysSelfTest } from './own-keys.mjs';
import { checkProse, proseSelfTest } from './prose.mjs';
import { checkTitles, titlesSelfTest } from './titles.mjs';
import { checkWords, wordsSelfTest } from './words.mjs';

const inTerminal = process.stdout.isTTY === true;
const env = {
  ...process.env,
  ...(inTerminal ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }),
};
const options = { cwd: root, env, tail: 400 };
/** Tests expect things to happen within a time; everything else gives way to them. */
const background = true;
const node = (file, ...args) =>
  must(process.execPath, [modules(...file.split('/')), ...args], { ...options, background });

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
  // TypeScript 7's compiler; `typescript` itself is 6, whose API dependency-cruiser needs. Each further
  // checker of a project repeats the inference of shared types.
  types: () => node('typescript-native/bin/tsc', '-b', '--checkers', '1', '--pretty', String(inTerminal)),
  boundaries: () =>
    node('dependency-cruiser/bin/dependency-cruise.mjs', 'src', '--config', 'tools/check/boundaries.mjs'),
  'boundaries and lint rules do fail': async () =>
    `${await selfTest()} boundary rules, ${await lintSelfTest()} lint rules, ${ownKeysSelfTest()} unsafe lookups, ${agentNamesSelfTest()} names of agents, ${featureNamesSelfTest()} names of features, ${cssModulesSelfTest()} faults in style sheets, ${durationsSelfTest()} durations and sizes, ${fileLengthsSelfTest()} long file, ${documentsSelfTest()} files named in documents, ${proseSelfTest()} of prose, ${titlesSelfTest()} titles of tests, and ${wordsSelfTest()} of words proven by planted violations`,
  // In a separate process, because it computes for a long time.
  'lookups by names from outside': () =>
    must(process.execPath, [join(root, 'tools', 'check', 'own-keys.mjs')], { ...options, background }),
  'names of agents': async () => checkAgentNames(),
  'names of features': async () => checkFeatureNames(),
  'style sheets': async () => checkCssModules(),
  'durations and sizes': async () => checkDurations(),
  prose: async () => checkProse(),
  'titles of tests': async () => checkTitles(),
  'words that are shown': async () => checkWords(),
  'lengths of files': async () => checkFileLengths(),
  'files named in documents': async () => checkDocuments(),
  'examples of CONTRIBUTING.md': () => checkExamples(),
  'unused code': () => node('knip/bin/knip.js', '--config', 'tools/check/knip.json', '--no-progress'),
};

const tests = {
  "adapter tests in Electron's Node": () =>
    must(process.execPath, [join(root, 'tools', 'test-electron.mjs')], options),
  'unit tests': () =>
    must(process.execPath, [modules('vitest', 'vitest.mjs'), 'run', '--project=!adapters*'], options),
  build: () => node('electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn'),
};

const all = process.argv.includes('--all');
/** The slowest ones come first. */
const waiting = Object.entries(all ? { ...tests, ...statically } : statically);
/** Tests leave processors idle while they wait, so one more check runs beside them. */
const lanes = availableParallelism() + (all ? 1 : 0);

const failed = [];
await Promise.all(Array.from({ length: lanes }, runNext));
console.log(`exemptions from lint and types: ${countExemptions()}`);
if (failed.length > 0) console.error(`check failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, check] = next;
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
