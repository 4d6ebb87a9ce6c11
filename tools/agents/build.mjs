import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { buildSandboxHost } from '../lib/sandbox-page.mjs';

/**
 * Muster's processes without the window, built from the current sources into a separate folder, so that an
 * app running from out/ keeps its files. Two levels below the root, like out/main: from there the command
 * line finds its resources.
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
  // Where the command line looks for the host of code written by models.
  await buildSandboxHost({ root, out: join(root, '.cache') });
  return join(outDir, 'cli.js');
}
