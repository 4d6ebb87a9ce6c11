import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import aliases from './tools/check/alias.cjs';

// vitest 5 groups failures with it; Node 20 has it not.
if (!('groupBy' in Map)) {
  const groupBy = <K, V>(items: Iterable<V>, keyOf: (item: V, index: number) => K): Map<K, V[]> => {
    const groups = new Map<K, V[]>();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index);
      index += 1;
      groups.set(key, [...(groups.get(key) ?? []), item]);
    }
    return groups;
  };
  Object.assign(Map, { groupBy });
}

// The login shells of tests read no one's profile: one that is killed in the middle of it may leave its locks there.
const home = join(import.meta.dirname, '.cache', 'home');
mkdirSync(home, { recursive: true });
process.env.HOME = home;

const alias = {
  ...aliases.resolve.alias,
  'fast-check': join(import.meta.dirname, 'tools', 'properties', 'fast-check.mjs'),
};

/**
 * Adapters touch native modules, so their tests run where the app runs them: in Electron's Node (tools/test-electron.mjs).
 * What the command line does with them in plain Node is shown by its end-to-end tests.
 */
const ADAPTERS = ['src/main/adapters/**/*.test.ts', 'src/features/*/node/git/**/*.test.ts'];

/** As `SHARED`, without those that change their environment or put other modules in the place of some. */
const SHARED_ADAPTERS = [
  'src/main/adapters/{files,mcp,run-texts,sample,sqlite,system,yaml}/**/*.test.ts',
  'src/main/adapters/git/**/!(git-thread).test.ts',
  'src/features/*/node/git/**/!(file-cache).test.ts',
];

/** No I/O and no state of a module's own, so these files share workers and load what they share once. */
const PURE = [
  'src/contract/**/*.test.ts',
  'src/main/core/**/*.test.ts',
  'src/areas/*/{contract,core}/**/*.test.ts',
  'src/areas/*/view/**/*.test.{ts,tsx}',
  'src/features/*.test.ts',
  'src/features/*/{contract,core}/**/*.test.ts',
  'src/features/*/view/**/*.test.{ts,tsx}',
  'src/renderer/parts/**/*.test.{ts,tsx}',
  // That of the graphics loads its module again and again.
  'src/renderer/ui/!(graphics).test.{ts,tsx}',
];

/** They keep no state in modules either, but act on the world: files, sockets, short commands. */
const SHARED = [
  'src/main/{api,cli,core-host,desktop,guarded-files,ipc,supervise}/**/*.test.ts',
  'src/main/services/**/*.test.ts',
  // That of the runs puts another module in the place of one.
  'src/areas/*/node/**/!(run-service).test.ts',
  'src/features/*/node/**/*.test.ts',
  'src/renderer/{charts,shell}/**/*.test.{ts,tsx}',
  // That of the gateway changes its environment. In those of `cli` a killed core lives on as an object, with the timers of
  // its sessions, until its worker ends.
  'src/main/agents/!(cli)/**/!(gateway).test.ts',
  'src/main/{pty-host,sdk}/**/*.test.ts',
];

/** No test is timed: this ends one that hangs. A property takes its time on a machine that is busy. */
const testTimeout = 600_000;
const hookTimeout = testTimeout;
const expect = { poll: { timeout: 120_000 } };
/** A test that passes only the second time is named last in the run (tools/report.mjs): its cause is to be found. */
const retry = 1;
const setupFiles = ['tools/lib/patient-waits.mjs'];
const shared = { environment: 'node', testTimeout, hookTimeout, expect, setupFiles } as const;

export default defineConfig({
  test: {
    // Most tests of processes wait more than they compute.
    maxWorkers: availableParallelism(),
    globalSetup: 'tools/lib/test-folder.mjs',
    reporters: [
      'default',
      ['json', { outputFile: process.env.VITEST_REPORT ?? '.cache/reports/vitest.json' }],
    ],
    projects: [
      { resolve: { alias }, test: { ...shared, name: 'pure', isolate: false, include: PURE } },
      {
        resolve: { alias },
        test: {
          ...{ ...shared, retry, name: 'shared', isolate: false },
          ...{ include: SHARED, exclude: ADAPTERS },
        },
      },
      {
        resolve: { alias },
        test: {
          ...{ ...shared, retry, name: 'unit' },
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', '{bench,tools}/**/*.test.mjs'],
          exclude: [...ADAPTERS, ...PURE, ...SHARED],
        },
      },
      {
        resolve: { alias },
        test: { ...shared, retry, name: 'adapters-shared', isolate: false, include: SHARED_ADAPTERS },
      },
      {
        resolve: { alias },
        test: { ...shared, retry, name: 'adapters', include: ADAPTERS, exclude: SHARED_ADAPTERS },
      },
    ],
  },
});
