import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { bundleInto, startupOutput } from './bundle.mjs';

/** The built app with a core whose commands end by themselves, 400 in a second; all else is as it is. Gives its folder. */
export async function pacedApp() {
  const folder = modules('.cache', 'bench-app');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'resources'), join(folder, 'resources'), 'dir');
  const commands = join(root, 'src', 'main', 'adapters', 'process', 'commands.ts');
  const plugin = {
    name: 'paced-commands',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.startsWith(join(root, 'src', 'main', 'core-host'))) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id === commands ? join(root, 'bench', 'kit', 'paced-commands.ts') : null;
    },
  };
  await bundleInto(
    join(folder, 'out', 'main', 'startup'),
    { core: join(root, 'src', 'main', 'core-host', 'host.ts') },
    { plugins: [plugin], minify: true, output: startupOutput },
  );
  return folder;
}
