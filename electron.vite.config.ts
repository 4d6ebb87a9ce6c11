import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { type BuildOptions, build, type Plugin } from 'vite';
import aliases from './tools/check/alias.cjs';
import { buildRemoteHost } from './tools/lib/remote-host.mjs';
import { buildSandboxPage } from './tools/lib/sandbox-page.mjs';
import { sqliteInside } from './tools/lib/sqlite-inside.mjs';

const root = import.meta.dirname;
const { alias } = aliases.resolve;
const source = (...parts: string[]) => join(root, 'src', ...parts);

// The oldest runtimes this must run on: those of the stand-in Electron 33 (tools/setup), and Node 20 for the command line.
const NODE = 'node20.18';
const CHROME = 'chrome130';

/** One file in out/main for each process that is started by its path. */
const processes = {
  'pty-host': source('main', 'pty-host', 'index.ts'),
  'terminal-snapshot': source('main', 'pty-host', 'snapshot-thread.ts'),
  'backup-thread': source('main', 'core-host', 'backup-thread.ts'),
  'git-thread': source('main', 'core-host', 'git-thread.ts'),
  'scripted-agent': source('main', 'agents', 'scripted', 'process', 'index.ts'),
  'mcp-bridge': source('main', 'adapters', 'mcp', 'bridge.ts'),
  cli: source('main', 'cli', 'index.ts'),
};
/** Native packages stay as they are. Everything else is bundled: to find and read it file by file doubles a start. */
const NATIVE = ['better-sqlite3', 'node-pty'];
const external = [...NATIVE, 'electron'];
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const bundled = Object.keys(dependencies).filter((name) => !NATIVE.includes(name));

const preload = source('preload', 'index.ts');
const sandboxPreload = source('preload', 'sandbox.ts');
const page = source('renderer', 'index.html');

/** What a start waits for, as scripts of which the compiled code can be kept (src/main/startup/compiled.ts). */
const startup = {
  // Not as a module: Electron is ready 10 ms earlier where it need not start the loader of modules first.
  main: source('main', 'index.ts'),
  'core-host': source('main', 'core-host', 'index.ts'),
  core: source('main', 'core-host', 'host.ts'),
  desktop: source('main', 'startup', 'desktop.ts'),
  'sandbox-host': source('main', 'sandbox-host', 'index.ts'),
  cli: source('main', 'cli', 'process.ts'),
};

const remoteHost = (folder: string, { watch = null }: { watch?: BuildOptions['watch'] }) =>
  buildRemoteHost({ root, folder, alias, target: NODE, minify: watch === null, watch });

/** Builds each start script by itself: a chunk that two share would hold what only one of them needs. */
function startupScripts(): Plugin {
  let folder = '';
  let development = false;
  const one = ([name, input]: [string, string], watch: BuildOptions['watch'] = null) =>
    build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [sqliteInside()],
      resolve: { alias },
      ssr: { external, noExternal: true },
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: false,
        target: NODE,
        minify: !development,
        watch,
        chunkSizeWarningLimit: 2000,
        sourcemap: true,
        rolldownOptions: {
          input: { [name]: input },
          output: {
            format: 'cjs',
            entryFileNames: '[name].cjs',
            chunkFileNames: `${name}/[name]-[hash].cjs`,
          },
        },
      },
    });
  const scripts = Object.entries(startup);
  return {
    name: 'startup-scripts',
    apply: 'build',
    /** tools/dev watches them itself: what only they reach is not watched with the other processes. */
    api: {
      watch: () =>
        Promise.all([
          ...scripts.map((script) => one(script, {})),
          remoteHost(dirname(folder), { watch: {} }),
        ]),
    },
    configResolved: ({ root, build: { outDir, watch } }) => {
      folder = resolve(root, outDir, 'startup');
      development = watch !== null;
    },
    async closeBundle() {
      await buildSandboxPage({ root, folder: join(root, 'out', 'sandbox'), target: CHROME });
      if (development) return;
      for (const script of scripts) await one(script);
      await remoteHost(dirname(folder), {});
    },
  };
}

/** The command line is started by its name through npm's bin link. */
function shebang(chunk: { name: string; isEntry: boolean }): string {
  if (!chunk.isEntry || chunk.name !== 'cli') return '';
  return readFileSync(processes.cli, 'utf8').startsWith('#!') ? '' : '#!/usr/bin/env node';
}

/** `teams_chat-head`: the module and the class, as a reader of the page finds them in the sources. */
const scopedName = (name: string, file: string) => `${basename(file).split('.')[0]}_${name}`;

export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [startupScripts()],
    build: {
      outDir: 'out/main',
      target: NODE,
      sourcemap: true,
      externalizeDeps: { exclude: bundled },
      rolldownOptions: {
        input: processes,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          banner: shebang,
        },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      outDir: 'out/preload',
      target: NODE,
      sourcemap: true,
      // A sandboxed preload can neither be an ES module nor require anything but electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: preload, sandbox: sandboxPreload },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('renderer'),
    resolve: { alias },
    plugins: [react()],
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: scopedName } },
    build: {
      outDir: join(root, 'out', 'renderer'),
      target: CHROME,
      sourcemap: true,
      minify: true,
      // One sheet: views share rules, whichever of them is read first.
      cssCodeSplit: false,
      rolldownOptions: { input: page },
    },
  },
});
