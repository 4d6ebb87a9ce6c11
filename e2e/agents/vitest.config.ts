import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
// For a change that it makes to Node 20: without it, vitest cannot report a failure.
import '../../vitest.config.ts';
import aliases from '../../tools/check/alias.cjs';

const root = join(import.meta.dirname, '..', '..');

export default defineConfig({
  resolve: aliases.resolve,
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: join(root, 'tools', 'lib', 'test-folder.mjs'),
    // Agents are whole runtimes: two at a time would make each other's timings random.
    fileParallelism: false,
    // Longer than every single wait.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ['verbose', ['json', { outputFile: process.env.VITEST_REPORT }]],
  },
});
