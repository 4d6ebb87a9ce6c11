import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { modules, root } from '../../tools/lib/paths.mjs';

/**
 * Bundles programs for plain Node as the app's build does its processes, and gives the path of each by name. They lie
 * below node_modules, so that native packages are found from there.
 */
export async function bundle(folder, input) {
  const outDir = modules('.cache', folder);
  rmSync(outDir, { recursive: true, force: true });
  await bundleInto(outDir, input);
  writeFileSync(join(outDir, 'package.json'), '{ "type": "module" }\n');
  return (name) => join(outDir, `${name}.js`);
}

/** The same into a folder that holds other things too, which stay. */
export async function bundleInto(outDir, input, { plugins = [], minify = false, output } = {}) {
  mkdirSync(outDir, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins,
    resolve: { alias: { '@contract': join(root, 'src', 'contract') } },
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

/** As the app's build writes what a start waits for. */
export const startupOutput = {
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
};

const programs = (folder) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [basename(file, '.ts'), join(folder, file)]),
  );

/** Every program of bench/sides; those in `started` as the build makes what a start waits for. */
export async function bundleSides() {
  const sides = join(root, 'bench', 'sides');
  const side = await bundle('bench', programs(sides));
  await bundleInto(modules('.cache', 'bench', 'started'), programs(join(sides, 'started')), {
    output: startupOutput,
    minify: true,
  });
  return side;
}
