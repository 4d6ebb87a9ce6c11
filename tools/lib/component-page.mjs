import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import aliases from '../check/alias.cjs';

const scopedName = (name, file) => `${basename(file).split('.')[0]}_${name}`;

/** Builds the page of component tests and the Electron program that shows it into `.cache/components`. */
export async function buildComponentPage(root) {
  const out = join(root, '.cache', 'components');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'host'), { recursive: true });
  // The page has no core, so it needs no bridge to one.
  writeFileSync(join(out, 'host', 'preload.cjs'), '');
  const common = { configFile: false, logLevel: 'warn', resolve: aliases.resolve };
  await build({
    ...common,
    root: join(root, 'src', 'renderer', 'component-page'),
    plugins: [react()],
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: scopedName } },
    build: {
      outDir: join(out, 'page'),
      emptyOutDir: true,
      target: 'chrome130',
      minify: false,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 10_000,
    },
  });
  await build({
    ...common,
    root,
    ssr: { external: ['electron'], noExternal: true },
    build: {
      ssr: true,
      outDir: join(out, 'host'),
      emptyOutDir: false,
      target: 'node20.18',
      minify: false,
      rolldownOptions: {
        input: { host: join(root, 'e2e', 'components', 'host.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  });
}
