/**
 * `npm run durability [-- --kills 300] [--seed N] [--kinds team,coding] [--keep]`: kills the core, and beside it
 * terminal host, guards, agents and git, with -9 again and again in the middle of their work, and looks from outside whether it kept what it had said.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../bench/lib/bundle.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { run } from '../../tools/lib/run.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string' },
    /** Names of workflows in world.ts and agents-world.ts; left out: all. */
    kinds: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
});
const program = await bundle('durability', {
  core: join(import.meta.dirname, 'core.ts'),
  main: join(import.meta.dirname, 'main.ts'),
  terminals: join(import.meta.dirname, 'terminals.ts'),
  'git-thread': join(root, 'src', 'main', 'core-host', 'git-thread.ts'),
  'scripted-agent': join(root, 'src', 'main', 'agents', 'scripted', 'process', 'index.ts'),
});
const wanted = {
  kills: Number(values.kills),
  seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
  kinds: values.kinds.split(',').filter(Boolean),
  keep: values.keep,
  resourcesDir: join(root, 'resources'),
};
const { code } = await run(process.execPath, [program('main'), JSON.stringify(wanted)], { show: true });
process.exit(code ?? 1);
