/**
 * `node e2e/histories/run.mjs INTO [NAME...]`: records the golden histories of the engine anew, into a folder. One that
 * is kept is never replaced: it is what an earlier Muster has written.
 */
import { join, resolve } from 'node:path';
import { bundle } from '../../bench/lib/bundle.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { run } from '../../tools/lib/run.mjs';

const [into = '', ...names] = process.argv.slice(2);
if (into === '') throw new Error('where to? give a folder');
const program = await bundle('histories', {
  core: join(root, 'e2e', 'durability', 'core.ts'),
  main: join(import.meta.dirname, 'main.ts'),
  'git-thread': join(root, 'src', 'main', 'core-host', 'git-thread.ts'),
  'scripted-agent': join(root, 'src', 'main', 'agents', 'scripted', 'process', 'index.ts'),
});
const wanted = { names, into: resolve(into), resourcesDir: join(root, 'resources') };
const { code } = await run(process.execPath, [program('main'), JSON.stringify(wanted)], { show: true });
process.exit(code ?? 1);
