import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import aliases from '../../tools/check/alias.cjs';
import { modules, root } from '../../tools/lib/paths.mjs';
import { sqliteInside } from '../../tools/lib/sqlite-inside.mjs';

/**
 * Bundles programs for plain Node as the app's build does with its processes, and returns the path of each by
 * name. They are below node_modules, so that native packages are found from there.
 */
export async function bundle(folder, input) {
  const outDir = modules('.cache', folder);
  rmSync(outDir, { recursive: true, force: true });
  await bundleInto(outDir, input);
  writeFileSync(join(outDir, 'package.json'), '{ "type": "module" }\n');
  return (name) => join(outDir, `${name}.js`);
}

/** The same into a folder with other files, which stay. */
export async function bundleInto(outDir, input, { plugins = [], minify = false, output } = {}) {
  mkdirSync(outDir, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins,
    resolve: aliases.resolve,
    ssr: { external: ['better-sqlite3', 'node-pty', 'electron'], noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node20.18',
      minify,
      rolldownOptions: {
        input,
        output: output ?? {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  });
}

/** Bundles programs as the app's build bundles what the start waits for. */
export const bundleStartup = (outDir, input, plugins = []) =>
  bundleInto(outDir, input, {
    plugins: [sqliteInside(), ...plugins],
    minify: true,
    output: {
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name]-[hash].cjs',
    },
  });

const programs = (folder) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [basename(file, '.ts'), join(folder, file)]),
  );

/**
 * Every program of bench/sides, by name; those in `started`, by `started/name`, are built like what the start
 * waits for.
 */
export async function bundleSides() {
  const sides = join(root, 'bench', 'sides');
  const side = await bundle('bench', programs(sides));
  const started = modules('.cache', 'bench', 'started');
  for (const [name, file] of Object.entries(programs(join(sides, 'started')))) {
    await bundleStartup(started, { [name]: file });
  }
  return (name) => (name.startsWith('started/') ? `${modules('.cache', 'bench', name)}.cjs` : side(name));
}
