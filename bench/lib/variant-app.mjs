import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { bundleStartup } from './bundle.mjs';

/** Replacements for parts of the core: the part below src/main, and the file in bench/kit. */
const VARIANTS = {
  /** Commands end by themselves, 400 per second. */
  paced: { part: ['adapters', 'process', 'commands.ts'], kit: 'paced-commands.ts' },
  /** The subscriber to commits notes the time. */
  noted: { part: ['services', 'publisher.ts'], kit: 'noted-commits.ts' },
};

/** The built app with one part of its core replaced for a bench. Returns its folder. */
export async function variantApp(variant) {
  const { part, kit } = VARIANTS[variant];
  const folder = modules('.cache', `bench-app-${variant}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'resources'), join(folder, 'resources'), 'dir');
  const replaced = join(root, 'src', 'main', ...part);
  const plugin = {
    name: `bench-${variant}`,
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.startsWith(join(root, 'src', 'main', 'core-host'))) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id === replaced ? join(root, 'bench', 'kit', kit) : null;
    },
  };
  await bundleStartup(
    join(folder, 'out', 'main', 'startup'),
    { core: join(root, 'src', 'main', 'core-host', 'host.ts') },
    [plugin],
  );
  return folder;
}
