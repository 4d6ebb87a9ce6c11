/**
 * `npm run durability [-- --kills 300] [--seed N]`: kills the core with -9 again and again in the middle of its work
 * and looks from outside whether it kept what it had said.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../bench/lib/bundle.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { run } from '../../tools/lib/run.mjs';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, seed: { type: 'string' } },
});
const program = await bundle('durability', {
  core: join(import.meta.dirname, 'core.ts'),
  main: join(import.meta.dirname, 'main.ts'),
  'scripted-agent': join(root, 'src', 'main', 'agents', 'scripted', 'process', 'index.ts'),
});
const args = [program('main'), values.kills, ...(values.seed === undefined ? [] : [values.seed])];
const { code } = await run(process.execPath, args, { show: true });
process.exit(code ?? 1);
