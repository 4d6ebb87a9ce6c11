import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');

/**
 * Compiles a program of this folder for plain Node, as the app's build does, so that a test can start it as a
 * process of its own and kill it. It lies below node_modules to find the native package from there.
 */
export async function bundle(name: string): Promise<{ file: string; remove: () => void }> {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, 'store-test-'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@contract': join(root, 'src', 'contract') } },
    ssr: { external: ['better-sqlite3'], noExternal: ['zod'] },
    build: {
      ssr: join(import.meta.dirname, `${name}.ts`),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return {
    file: join(outDir, `${name}.mjs`),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
