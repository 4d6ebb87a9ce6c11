/**
 * `search.js ours|raw FILE`: the milliseconds of finding the newest 50 of what holds a common word, a rare one and two
 * words, through the store; or with FTS5 alone on the same table, each hit with its run, its time and its text.
 */
import Database from 'better-sqlite3';
import { openOrThrow } from '../kit/core';
import { COMMON, LESS_COMMON, RARE } from '../kit/corpus';
import { say } from '../kit/say';

const [side, file = ''] = process.argv.slice(2);
const queries = { common: COMMON, rare: RARE, two: `${COMMON} ${LESS_COMMON}` };
const WARM_UP = 50;
const TIMES = 150;

function ours(): (text: string) => number {
  const store = openOrThrow(file);
  return (text) => store.search({ text, limit: 50 }).hits.length;
}

function raw(): (text: string) => number {
  const db = new Database(file, { readonly: true });
  const find = db.prepare<[string]>(
    `select t.name, e.id, e.run_id, r.name as run, e.at, e.body ->> '$.turnId' as turn,
       coalesce(e.body ->> '$.text', e.body ->> '$.prompt', e.body ->> '$.response') as text
     from search s cross join events e on e.id = s.rowid cross join runs r on r.id = e.run_id
       cross join event_types t on t.id = e.type
     where search match ? order by s.rowid desc limit 50`,
  );
  return (text) => find.all(text).length;
}

const find = side === 'ours' ? ours() : raw();
const times = Object.fromEntries(Object.keys(queries).map((name) => [name, [] as number[]]));
// In turn, so that none of them alone bears the cost of a process's first searches.
for (let i = 0; i < WARM_UP + TIMES; i += 1) {
  for (const [name, text] of Object.entries(queries)) {
    const started = performance.now();
    const found = find(text);
    if (i >= WARM_UP) times[name]?.push(performance.now() - started);
    if (found === 0) throw new Error(`nothing found for ${text}`);
  }
}
say(times);
process.exit();
