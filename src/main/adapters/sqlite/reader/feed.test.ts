import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { Place } from '../testing/place';
import { activation, session, started, Teller, turn, turnEnd, update } from '../testing/story';

let place: Place;
let store: Store;
beforeEach(async () => {
  place = new Place();
  store = place.open();
  const { id: projectId } = store.addProject('/projects/sample', 'sample', 1);
  for (const run of [1, 2]) {
    const teller = new Teller(store);
    const start = [started({ uid: `01RUN${run}`, projectId }), activation(1, 'write'), session(1, 1)];
    await teller.tell(...start, turn({ turnId: 1, prompt: 'Go.' }), turnEnd(1, 'Gone.'));
    for (let index = 1; index <= 5; index += 1) {
      const posted = update(`apple ${run}${index}`, index === 3 ? 'failed' : 'completed');
      if (posted.type !== 'update.posted') throw new Error('no update');
      await teller.tell({
        ...posted,
        turnId: index === 1 ? 1 : null,
        stepId: index < 4 ? 'write' : 'review',
      });
    }
  }
});
afterEach(() => place.remove());

const said = (query: Partial<Parameters<Store['feed']>[0]>) => {
  const { rows, more } = store.feed({ limit: 100, ...query });
  return { said: rows.map((row) => row.update.summary[0]?.replace('apple ', '')), more };
};
const idOf = (summary: string): number =>
  store.feed({ limit: 100 }).rows.find((row) => row.update.summary[0] === `apple ${summary}`)?.id ?? 0;

test('the newer page of the feed has the next rows, newest first, and says whether there are newer ones', () => {
  expect(said({ after: idOf('13'), limit: 3 })).toEqual({ said: ['21', '15', '14'], more: true });
  expect(said({ after: idOf('23'), limit: 3 })).toEqual({ said: ['25', '24'], more: false });
  expect(said({ after: 0, limit: 2, runId: 2 })).toEqual({ said: ['22', '21'], more: true });
  expect(said({ after: idOf('25') })).toEqual({ said: [], more: false });
});

test('the feed is narrowed to a step, to an agent, and both with a result', () => {
  expect(said({ stepId: 'review' }).said).toEqual(['25', '24', '15', '14']);
  expect(said({ stepId: 'write', result: 'failed' }).said).toEqual(['23', '13']);
  expect(said({ agent: 'writer' }).said).toEqual(['21', '11']);
  expect(said({ agent: 'nobody' }).said).toEqual([]);
  expect(store.feedSources(10)).toEqual({ steps: ['review', 'write'], agents: ['writer'] });
  expect(store.feedSources(1)).toEqual({ steps: ['review'], agents: ['writer'] });
});

test('a search is narrowed and read towards both sides alike', async () => {
  await expect.poll(() => store.search({ text: 'apple', limit: 1 }).indexedTo).toBe(store.lastEventId());
  expect(said({ search: 'apple', stepId: 'review' }).said).toEqual(['25', '24', '15', '14']);
  expect(said({ search: 'apple', after: idOf('14'), limit: 2 })).toEqual({ said: ['21', '15'], more: true });
  expect(said({ search: 'apple', runId: 1, after: idOf('13') }).said).toEqual(['15', '14']);
});

test('updates that are newer than the last one read are counted, up to a limit', () => {
  expect(store.unread(0, 100)).toBe(10);
  expect(store.unread(idOf('22'), 100)).toBe(3);
  expect(store.unread(0, 4)).toBe(4);
});
