/** The static checks, as jobs (lib/jobs.mjs): those that compute longest first. */
import { checkExamples } from '../examples/index.mjs';
import { inProcess, script, tool } from '../lib/jobs.mjs';
import { agentNamesSelfTest, checkAgentNames } from './agent-names.mjs';
import { selfTest } from './boundaries.selftest.mjs';
import { checkCssModules, cssModulesSelfTest } from './css-modules.mjs';
import { checkDocuments, documentsSelfTest } from './documents.mjs';
import { checkDurations, durationsSelfTest } from './durations.mjs';
import { countExemptions } from './exemptions.mjs';
import { checkFeatureNames, featureNamesSelfTest } from './feature-names.mjs';
import { checkFileLengths, fileLengthsSelfTest } from './file-lengths.mjs';
import { checkFolderCircles, folderCirclesSelfTest } from './folder-circles.mjs';
import { checkHomeExports, homeExportsSelfTest } from './home-exports.mjs';
import { lintSelfTest } from './lint.selftest.mjs';
import { checkProse, proseSelfTest } from './prose.mjs';
import { checkTestCasts, testCastsSelfTest } from './test-casts.mjs';
import { checkTitles, titlesSelfTest } from './titles.mjs';
import { checkWords, wordsSelfTest } from './words.mjs';

const background = { background: true };

export const staticChecks = {
  'types, lookups by names from outside': tool('check/compiled.mjs', [], background),
  'format and lint': script(
    '@biomejs/biome/bin/biome',
    [
      'ci',
      '--error-on-warnings',
      '--max-diagnostics=200',
      ...(process.stdout.isTTY ? [] : ['--colors=off']),
      '.',
    ],
    background,
  ),
  'examples of CONTRIBUTING.md': inProcess(checkExamples),
  boundaries: script(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ['src', '--config', 'tools/check/boundaries.mjs'],
    background,
  ),
  'unused code': script(
    'knip/bin/knip.js',
    ['--config', 'tools/check/knip.json', '--no-progress'],
    background,
  ),
  'boundaries and lint rules do fail': inProcess(
    async () =>
      `${await selfTest()} boundary rules, ${await lintSelfTest()} lint rules, ${agentNamesSelfTest()} names of agents, ${featureNamesSelfTest()} names of features, ${cssModulesSelfTest()} faults in style sheets, ${durationsSelfTest()} durations and sizes, ${fileLengthsSelfTest()} long file, ${folderCirclesSelfTest()} circles of folders, ${homeExportsSelfTest()} exports without importers, ${documentsSelfTest()} files named in documents, ${proseSelfTest()} of prose, ${titlesSelfTest()} titles of tests, ${testCastsSelfTest()} casts in tests, and ${wordsSelfTest()} of words proven by planted violations`,
  ),
  'names of agents': inProcess(checkAgentNames),
  'names of features': inProcess(checkFeatureNames),
  'style sheets': inProcess(checkCssModules),
  'durations and sizes': inProcess(checkDurations),
  prose: inProcess(checkProse),
  'titles of tests': inProcess(checkTitles),
  'casts in tests': inProcess(checkTestCasts),
  'words that are shown': inProcess(checkWords),
  'exports without importers': inProcess(checkHomeExports),
  'circles of folders': inProcess(checkFolderCircles),
  'lengths of files': inProcess(checkFileLengths),
  'files named in documents': inProcess(checkDocuments),
  exemptions: inProcess(() => `exemptions from lint and types: ${countExemptions()}`),
};
