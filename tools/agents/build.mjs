import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { buildSandboxHost } from '../lib/sandbox-page.mjs';

/**
 * Muster's processes without the window, built from the present sources into a folder of their own, so that an app
 * that runs from out/ keeps the files it was started with. Two levels below the root, as out/main is: from there the
 * command line finds its resources.
 */
export async function buildProcesses() {
  const [{ resolveConfig }, vite] = await Promise.all([import('electron-vite'), import('vite')]);
  const outDir = join(root, '.cache', 'agents');
  await mkdir(outDir, { recursive: true });
  const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'build', 'production');
  await vite.build({
    ...config.main,
    configFile: false,
    build: { ...config.main.build, outDir, emptyOutDir: true },
  });
  // Where the command line looks for what hosts the code of models.
  await buildSandboxHost({ root, out: join(root, '.cache') });
  return join(outDir, 'cli.js');
}
