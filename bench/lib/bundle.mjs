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
export async function bundleInto(outDir, input, plugins = []) {
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
      rolldownOptions: {
        input,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}

/** Every program of bench/sides. */
export function bundleSides() {
  const sides = join(root, 'bench', 'sides');
  const files = readdirSync(sides).filter((file) => file.endsWith('.ts'));
  return bundle('bench', Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(sides, file)])));
}
