import { join } from 'node:path';
import { build } from 'vite';
import aliases from '../../../../tools/check/alias.cjs';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The terminal process as built for the app, for tests that start it: the file to fork. */
export async function bundlePtyHost(): Promise<string> {
  const outDir = join(root, 'node_modules', '.cache', 'muster', `pty-host-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: aliases.resolve,
    build: {
      ssr: join(root, 'src', 'main', 'pty-host', 'index.ts'),
      outDir,
      emptyOutDir: true,
      target: 'node20.18',
      rolldownOptions: { output: { entryFileNames: 'pty-host.mjs' } },
    },
  });
  return join(outDir, 'pty-host.mjs');
}
