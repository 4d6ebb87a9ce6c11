import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import aliases from '../../../../../tools/check/alias.cjs';

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');

/**
 * Compiles a program for plain Node, like the app's build, so that a test can start and kill it as a separate
 * process. Located below node_modules to find the native package.
 */
export async function bundle(program: URL): Promise<{ file: string; remove: () => void }> {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const source = fileURLToPath(program);
  const name = basename(source, '.ts');
  const outDir = mkdtempSync(join(cache, 'store-test-'));
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: aliases.resolve,
    ssr: { external: ['better-sqlite3'], noExternal: ['zod'] },
    build: {
      ssr: source,
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
