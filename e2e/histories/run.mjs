/**
 * `node e2e/histories/run.mjs INTO [NAME...]`: records the golden histories of the engine again, into a folder. One of a
 * released Muster is never replaced: it is what operators have. `--database FILE` writes a database instead.
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../bench/lib/bundle.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { run } from '../../tools/lib/run.mjs';

const [first = '', ...names] = process.argv.slice(2);
const database = first === '--database';
const into = database ? (names[0] ?? '') : first;
if (into === '') throw new Error('where to? give a folder');
const program = await bundle('histories', {
  core: join(root, 'e2e', 'durability', 'core.ts'),
  main: join(import.meta.dirname, 'main.ts'),
  database: join(import.meta.dirname, 'database.ts'),
  terminals: join(root, 'e2e', 'durability', 'terminals.ts'),
  'git-thread': join(root, 'src', 'main', 'core-host', 'git-thread.ts'),
  'scripted-agent': join(root, 'src', 'main', 'agents', 'scripted', 'process', 'index.ts'),
});
const given = { into: resolve(into), resourcesDir: join(root, 'resources') };
const wanted = database ? { ...given, folder: join(tmpdir(), 'muster-recorded') } : { ...given, names };
const { code } = await run(
  process.execPath,
  [program(database ? 'database' : 'main'), JSON.stringify(wanted)],
  {
    show: true,
  },
);
process.exit(code ?? 1);
