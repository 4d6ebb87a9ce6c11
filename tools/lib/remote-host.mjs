import { join } from 'node:path';
import { build } from 'vite';

/**
 * Builds Muster's program for remote hosts into `folder`: one file without dependencies, `muster-host.mjs`. Resolves with what
 * Vite resolves with: the watcher, if it watches.
 */
export function buildRemoteHost({ root, folder, alias, target, minify, watch = null }) {
  return build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target,
      minify,
      watch,
      rolldownOptions: {
        input: { 'muster-host': join(root, 'src', 'main', 'remote-host', 'index.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  });
}
