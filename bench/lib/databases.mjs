import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { modules, root } from '../../tools/lib/paths.mjs';
import { runSide } from './side.mjs';

const folder = modules('.cache', 'bench-databases');

/** Everything that a database depends on: a new one is made when any of it changes. */
function fingerprint() {
  const sources = [
    'src/main/adapters/sqlite/migrations',
    'src/main/adapters/sqlite/search',
    'bench/kit',
    'bench/sides',
  ];
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of readdirSync(join(root, source)).filter((name) =>
      /^(0|seed|updates|corpus|texts|indexer)/.test(name),
    )) {
      hash.update(readFileSync(join(root, source, file)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/**
 * A database with a number of events, made by a side; with `updates`, of that many updates. Kept between
 * bench runs, because a million take a minute.
 */
export async function databaseOf(side, events, maker = 'seed') {
  const name = `${fingerprint()}-${events}${maker === 'seed' ? '' : `-${maker}`}`;
  const home = join(folder, name);
  const file = join(home, 'muster.db');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    if (!old.startsWith(fingerprint())) rmSync(join(folder, old), { recursive: true, force: true });
  }
  console.log(`bench: making a database of ${events} ${maker === 'seed' ? 'events' : maker}, once`);
  const making = join(folder, `making-${name}`);
  rmSync(making, { recursive: true, force: true });
  await runSide(side(maker), [join(making, 'muster.db'), events]);
  renameSync(making, home);
  return file;
}
