/** `feed.js FILE`: the milliseconds of reading the latest 100 updates, and of pages further back, through the store. */
import { openOrThrow } from '../kit/core';
import { say } from '../kit/say';

const store = openOrThrow(process.argv[2] ?? '');
const last = store.lastEventId();
const WARM_UP = 100;
const PAGES = 300;

const times: number[] = [];
for (let i = 0; i < WARM_UP + PAGES; i += 1) {
  // Every second page is one to which someone has scrolled.
  const before = i % 2 === 0 ? undefined : Math.floor((last * ((i * 37) % 100)) / 100) + 1_000;
  const started = performance.now();
  const { rows } = store.feed({ limit: 100, ...(before !== undefined && { before }) });
  times.push(performance.now() - started);
  if (rows.length !== 100) throw new Error(`a page of ${rows.length}`);
}
store.close();
say(times.slice(WARM_UP));
