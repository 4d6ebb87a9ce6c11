import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { modules, root } from '../../tools/lib/paths.mjs';

const sources = join(root, 'bench', 'sides');

/** Below node_modules, so that native packages are found from there. */
const outDir = modules('.cache', 'bench');

/**
 * Bundles every program of bench/sides as the app's build does its processes, and gives the path of each by name.
 */
export async function bundleSides() {
  rmSync(outDir, { recursive: true, force: true });
  const names = readdirSync(sources).flatMap((file) => (file.endsWith('.ts') ? [basename(file, '.ts')] : []));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@contract': join(root, 'src', 'contract') } },
    ssr: { external: ['better-sqlite3', 'node-pty'], noExternal: true },
    build: {
      ssr: true,
      outDir,
      target: 'node20.18',
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(sources, `${name}.ts`)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
  });
  return (name) => join(outDir, `${name}.mjs`);
}
