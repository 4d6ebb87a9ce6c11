import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { pythonSnapshot } from './python-snapshot.mjs';

const PYODIDE = [
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'python_stdlib.zip',
  'pyodide-lock.json',
];

/**
 * Builds the page of a REPL into `folder`, with Pyodide's files beside it: the page loads only files from
 * there.
 */
export async function buildSandboxPage({ root, folder, target }) {
  const source = (...parts) => join(root, 'src', 'sandbox-page', ...parts);
  mkdirSync(folder, { recursive: true });
  for (const name of ['page', 'worker'])
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: { '@contract': join(root, 'src', 'contract') } },
      build: {
        outDir: folder,
        emptyOutDir: false,
        target,
        modulePreload: false,
        minify: true,
        rolldownOptions: {
          input: { [name]: source(`${name}.ts`) },
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    });
  copyFileSync(source('index.html'), join(folder, 'index.html'));
  for (const name of PYODIDE) copyFileSync(join(root, 'node_modules', 'pyodide', name), join(folder, name));
  copyFileSync(await pythonSnapshot(root), join(folder, 'python.gz'));
}

/**
 * Builds only the host of REPLs, without the app, for tests: `out` gets the layout of the product's `out`.
 */
export async function buildSandboxHost({ root, out }) {
  const script = (name, input, folder) =>
    build({
      root,
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: { '@contract': join(root, 'src', 'contract') } },
      ssr: { external: ['electron'], noExternal: true },
      build: {
        ssr: true,
        outDir: join(out, folder),
        emptyOutDir: false,
        target: 'node20.18',
        rolldownOptions: {
          input: { [name]: input },
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    });
  await script('sandbox-host', join(root, 'src/main/sandbox-host/index.ts'), 'main/startup');
  await script('sandbox', join(root, 'src/preload/sandbox.ts'), 'preload');
  await buildSandboxPage({ root, folder: join(out, 'sandbox'), target: 'chrome130' });
}
