import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { bundleStartup } from './bundle.mjs';

/** Replacements for parts of the core: the part below src/main, and the file in bench/kit. */
const VARIANTS = {
  /** Commands end by themselves, 400 per second. */
  paced: { part: ['adapters', 'process', 'commands', 'commands.ts'], kit: 'paced-commands.ts' },
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
  let found = false;
  const plugin = {
    name: `bench-${variant}`,
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.startsWith(join(root, 'src', 'main', 'core-host'))) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      if (resolved?.id !== replaced) return null;
      found = true;
      return join(root, 'bench', 'kit', kit);
    },
  };
  await bundleStartup(
    join(folder, 'out', 'main', 'startup'),
    { core: join(root, 'src', 'main', 'core-host', 'host.ts') },
    [plugin],
  );
  // Otherwise the bench would measure the real part under the name of its replacement.
  if (!found) throw new Error(`bench: no import of ${replaced} to replace with ${kit}`);
  return folder;
}
