import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { replay } from '@contract/run/reduce';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundle } from './testing/bundle';
import { gone, startChild } from './testing/child';
import { Place } from './testing/place';

const KILLS = 8;

let place: Place;
let writer: { file: string; remove: () => void };
beforeAll(async () => {
  writer = await bundle(new URL('./testing/writer.ts', import.meta.url));
});
afterAll(() => writer.remove());
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** The last acknowledged seq by run. The last line may be incomplete because of the kill. */
function acknowledged(output: string): Map<number, number> {
  const last = new Map<number, number>();
  for (const line of output.slice(0, output.lastIndexOf('\n')).split('\n')) {
    const [run, seq] = line.split(' ').map(Number);
    if (run !== undefined && seq !== undefined) last.set(run, seq);
  }
  return last;
}

async function killedAfter(ms: number, name: string): Promise<Map<number, number>> {
  const child = startChild(writer.file, [place.path, name]);
  if (child.stdout === null) throw new Error('the child has no output');
  child.stdout.once('data', () => void sleep(ms).then(() => child.kill('SIGKILL')));
  const output = await text(child.stdout);
  await gone(child);
  return acknowledged(output);
}

test('a kill -9 during writing loses nothing acknowledged and leaves nothing half written', {
  timeout: 120_000,
}, async () => {
  let events = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const last = await killedAfter(Math.random() * 60, `round-${kill}`);
    expect(last.size).toBeGreaterThan(0);
    const store = place.open();
    expect(store.notices).toEqual([]);
    for (const [runId, seq] of last) {
      const stored = [...store.log.read(runId)];
      expect(stored.length).toBeGreaterThanOrEqual(seq);
      expect(stored.map((event) => event.seq)).toEqual(stored.map((_, index) => index + 1));
      // Each append contains the start and end of an activation, so neither occurs alone.
      expect(stored.length % 2).toBe(1);
      const row = store.run(runId);
      expect(row).toMatchObject({ at: stored.at(-1)?.at, status: 'running' });
      expect(replay(stored)?.at).toBe(row?.at);
      events += stored.length;
    }
    store.close();
  }
  expect(events).toBeGreaterThan(KILLS);
});
