import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder, electronExecutable, modules, packageVersion } from '../lib/paths.mjs';
import { must, run } from '../lib/run.mjs';
import { needBuildTools } from './system.mjs';

/**
 * The Node-API version of better-sqlite3's own binaries; with an older one they do not report an error, they
 * crash.
 */
const PREBUILT_NODE_API = 10;
const LOAD = `const D = require(${JSON.stringify(modules('better-sqlite3'))});
console.log(new D(':memory:').prepare('select sqlite_version()').pluck().get())`;

const runtimes = () => [
  { name: 'Node', command: process.execPath, env: process.env },
  { name: 'Electron', command: electronExecutable(), env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
];

export const compiledBinary = modules('better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/** Ensures that one better-sqlite3 binary loads in Node and in Electron. Returns { compiled, nodeApi }. */
export async function setUpSqlite({ say }) {
  const nodeApi = {};
  for (const { name, command, env } of runtimes()) {
    nodeApi[name] = Number(await must(command, ['-p', 'process.versions.napi'], { env, limit: 60_000 }));
  }
  const compiled = Object.values(nodeApi).some((level) => level < PREBUILT_NODE_API);
  if (compiled) await takeCompiled({ say, nodeApi });
  else await rm(modules('better-sqlite3', 'build'), { recursive: true, force: true });
  for (const runtime of runtimes()) await mustLoad(runtime);
  say(`better-sqlite3 loads in Node and Electron (${compiled ? 'compiled here' : 'its own binary'})`);
  return { compiled, nodeApi };
}

async function mustLoad({ name, command, env }) {
  const { code, signal, output } = await run(command, ['-e', LOAD], { env, limit: 60_000 });
  if (code !== 0) throw new Error(`better-sqlite3 does not load in ${name} (${signal ?? code})\n${output}`);
}

async function takeCompiled({ say, nodeApi }) {
  const version = packageVersion('better-sqlite3');
  const libc =
    process.report?.getReport().header.glibcVersionRuntime || process.platform !== 'linux' ? '' : '-musl';
  const cached = join(
    cacheFolder,
    `better-sqlite3-${version}-${process.platform}-${process.arch}${libc}.node`,
  );
  if (!existsSync(cached)) {
    const found = Object.entries(nodeApi).map(([name, level]) => `${name} has ${level}`);
    say(`better-sqlite3 ${version}: its binaries need Node-API ${PREBUILT_NODE_API}, ${found.join(', ')}`);
    await needBuildTools(say);
    say('compiling it from its own source (about a minute, once)');
    await compile(cached);
  }
  await mkdir(dirname(compiledBinary), { recursive: true });
  // A new file instead of new content of the old one, which a running process may have mapped.
  await copyFile(cached, `${compiledBinary}.${process.pid}`);
  await rename(`${compiledBinary}.${process.pid}`, compiledBinary);
}

async function compile(cached) {
  await mkdir(cacheFolder, { recursive: true });
  const work = await mkdtemp(join(cacheFolder, 'compile-'));
  try {
    await cp(modules('better-sqlite3'), work, { recursive: true });
    await rm(join(work, 'build'), { recursive: true, force: true });
    const gyp = join(work, 'binding.gyp');
    const plan = await readFile(gyp, 'utf8');
    const lower = plan.replace(
      "'NAPI_VERSION=10'",
      "'NAPI_EXPERIMENTAL', 'NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'",
    );
    if (lower === plan)
      throw new Error('better-sqlite3 changed its binding.gyp: tools/setup/sqlite.mjs must follow');
    await writeFile(gyp, lower);
    const rebuild = ['rebuild', '--release', '--force_build=1', '--jobs=max', ...headers()];
    await must(process.execPath, [modules('node-gyp', 'bin', 'node-gyp.js'), ...rebuild], {
      cwd: work,
      // binding.gyp runs `node` to find node-addon-api: with the same Node, and our node_modules.
      env: {
        ...process.env,
        PATH: [dirname(process.execPath), process.env.PATH].join(process.platform === 'win32' ? ';' : ':'),
        NODE_PATH: modules(),
      },
      limit: 15 * 60_000,
    });
    await rename(join(work, 'build', 'Release', 'better_sqlite3.node'), cached);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Node's own headers if they are beside it; otherwise node-gyp downloads them. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}
