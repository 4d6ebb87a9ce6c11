/**
 * `npm run dev [-- --data-dir DIR]`: opens the app from source. A change of the page is loaded in place; a
 * change of the core or the terminal host restarts that process; a change of the main process restarts the
 * app. The build is in .cache/dev, separate from out/, and the data folder is separate too unless one is
 * given.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConfig } from 'electron-vite';
import { build, createServer, mergeConfig } from 'vite';
import { needsVirtualDisplay, virtualDisplay } from '../lib/display.mjs';
import { electronExecutable, root } from '../lib/paths.mjs';
import { sandboxObstacle } from '../lib/sandbox.mjs';
import { changesIn, restartsFor } from './changes.mjs';

/** Several bundles contain a shared file. Each is rebuilt within this time after the previous one. */
const REBUILT_AFTER_MS = 200;
/** How long the page may take to forward a restart. Then the app is restarted instead. */
const PAGE_ANSWERS_MS = 3000;

const folder = join(root, '.cache', 'dev');
const app = join(folder, 'app');
const out = join(app, 'out');
const say = (text) => console.log(`dev: ${text}`);

process.chdir(root);
prepareApp();
const dev = { started: null, restarting: false, ended: false };
const { config } = await resolveConfig(
  {
    root,
    outDir: out,
    logLevel: 'warn',
    clearScreen: false,
    build: { outDir: out, emptyOutDir: false, watch: {} },
  },
  'serve',
);
const bundles = await watchBundles(config);
const server = await servePage(config.renderer);
const display = needsVirtualDisplay() ? await virtualDisplay() : undefined;
// Vite would end this process at once, before the app has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.removeAllListeners(signal).on(signal, () => void end());
process.stdin.removeAllListeners('end');
const changes = changesIn(out);
startApp();
bundles.onRebuilt(() => applyChanges().catch((error) => say(error.message)));

/** Electron reads its name and main file from a package.json beside the build. */
function prepareApp() {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  const main = 'out/main/startup/main.cjs';
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const described = { name: 'muster', productName: 'Muster (dev)', version, type: 'module', main };
  writeFileSync(join(app, 'package.json'), JSON.stringify(described));
  symlinkSync(join(root, 'resources'), join(app, 'resources'), 'junction');
}

/**
 * Builds main, preload and start scripts, and again whenever one of their files changes. Resolves after the
 * first build.
 */
async function watchBundles({ main, preload }) {
  let rebuilt = () => {};
  let timer;
  const building = new Set();
  const scripts = main.plugins.find((plugin) => plugin?.name === 'startup-scripts');
  const first = [];
  const watch = (watcher) => {
    first.push(
      new Promise((resolve) => {
        watcher.on('event', (event) => {
          clearTimeout(timer);
          if (event.code === 'BUNDLE_START') building.add(watcher);
          if (event.code === 'ERROR') say(event.error.message);
          if (event.code === 'BUNDLE_END' || event.code === 'ERROR') {
            void event.result?.close();
            building.delete(watcher);
            resolve();
          }
          if (building.size === 0) timer = setTimeout(() => rebuilt(), REBUILT_AFTER_MS);
        });
      }),
    );
  };
  watch(await build(main));
  watch(await build(preload));
  for (const watcher of await scripts.api.watch()) watch(watcher);
  await Promise.all(first);
  return {
    onRebuilt: (listener) => {
      rebuilt = listener;
    },
  };
}

/**
 * Vite's server, with a script in the page that restarts the core or the terminal host on the server's
 * request.
 */
async function servePage(renderer) {
  const name = 'virtual:restart-processes';
  const script = `import.meta.hot.on('muster:restart', async ({ process }) => {
    await window.muster.call('app.restartProcess', { process });
    import.meta.hot.send('muster:restarted', { process });
  });`;
  const plugin = {
    name: 'restart-processes',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? script : undefined),
    transformIndexHtml: () => [{ tag: 'script', attrs: { type: 'module', src: `/@id/__x00__${name}` } }],
  };
  const made = await createServer(
    mergeConfig(renderer, {
      plugins: [plugin],
      build: { watch: null },
      cacheDir: join(folder, 'vite'),
      server: { host: '127.0.0.1', port: 0 },
    }),
  );
  await made.listen();
  return made;
}

function startApp() {
  const asked = process.argv.slice(2);
  const named = asked.some((word) => /^--data-dir(=|$)/.test(word)) || process.env.MUSTER_DATA_DIR;
  const obstacle = sandboxObstacle();
  const args = [
    ...(obstacle ? ['--no-sandbox'] : []),
    ...(needsVirtualDisplay() ? ['--log-level=3'] : []),
    app,
    ...(named ? asked : ['--data-dir', join(folder, 'data'), ...asked]),
  ];
  const { port } = server.httpServer.address();
  const env = { ...process.env, ...display?.env, ELECTRON_RENDERER_URL: `http://127.0.0.1:${port}` };
  const child = spawn(electronExecutable(), args, { stdio: 'inherit', env });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  dev.started = { child, exited };
  say(`the app runs as process ${child.pid}`);
  // The operator closed the app: development ends.
  void exited.then((code) => {
    if (!dev.restarting) leave(code ?? 1);
  });
}

async function applyChanges() {
  if (dev.restarting || dev.ended) return;
  const restarts = restartsFor(changes());
  if (restarts.app) return restartApp('the main process changed');
  for (const name of restarts.processes) {
    if (!(await restartProcess(name))) return restartApp(`the page did not restart the ${name}`);
    say(`restarted the ${name === 'core' ? 'core' : 'terminal host'}`);
  }
  if (restarts.page) server.ws.send({ type: 'full-reload' });
}

function restartProcess(name) {
  return new Promise((resolve) => {
    const answered = ({ process }) => {
      if (process === name) done(true);
    };
    const timer = setTimeout(() => done(false), PAGE_ANSWERS_MS);
    const done = (worked) => {
      clearTimeout(timer);
      server.ws.off('muster:restarted', answered);
      resolve(worked);
    };
    server.ws.on('muster:restarted', answered);
    server.ws.send('muster:restart', { process: name });
  });
}

async function restartApp(why) {
  say(`restarts the app: ${why}`);
  dev.restarting = true;
  dev.started.child.kill('SIGTERM');
  await dev.started.exited;
  dev.restarting = false;
  if (!dev.ended) startApp();
  // Parts built meanwhile.
  await applyChanges();
}

async function end() {
  if (dev.ended) return;
  dev.ended = true;
  dev.restarting = true;
  dev.started?.child.kill('SIGTERM');
  await dev.started?.exited;
  leave(0);
}

function leave(code) {
  display?.close();
  process.exit(code);
}
