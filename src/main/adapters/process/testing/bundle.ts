import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import aliases from '../../../../../tools/check/alias.cjs';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/**
 * Bundles an entry into one file for plain Node, like the app's build. Located below node_modules, so that
 * external packages are found.
 */
export async function bundle(entry: string, name: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'muster-tests');
  const outDir = join(cache, `${name}-${process.pid}-${Date.now()}`);
  await mkdir(outDir, { recursive: true });
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: aliases.resolve,
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: false,
      target: 'node20.18',
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: `${name}.mjs` } },
    },
  });
  // Test files run in parallel: each builds its own, and the last one stays.
  const file = join(cache, `${name}.mjs`);
  await rename(join(outDir, `${name}.mjs`), file);
  await rm(outDir, { recursive: true, force: true });
  return file;
}
