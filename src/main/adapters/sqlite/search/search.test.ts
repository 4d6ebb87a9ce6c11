import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../../core/ports/store/store';
import { must, Place } from '../testing/place';
import { activation, runEnd, session, started, Teller, turn, turnEnd, update } from '../testing/story';
import { excerptOf } from './excerpt';
import { wordsOf } from './match';

let place: Place;
let store: Store;
let projectId: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  place = new Place();
  store = place.open();
  projectId = store.addProject('/projects/sample', 'sample', 1).id;
});
afterEach(() => {
  place.remove();
  vi.useRealTimers();
});

async function run(uid: string, ...words: string[]): Promise<Teller> {
  const teller = new Teller(store);
  const turns = words.flatMap((word, index) => [
    turn({ turnId: index + 1, prompt: `Tell me of ${word}.` }),
    turnEnd(index + 1, `The answer on ${word}`),
    update(`Said all of ${word}`, index % 2 === 0 ? 'completed' : 'failed'),
  ]);
  must(
    await teller.tell(
      started({ uid, projectId, name: `Run ${uid}` }),
      activation(1, 'write'),
      session(1, 1),
      ...turns,
    ),
  );
  return teller;
}

const indexed = (): void => {
  vi.advanceTimersByTime(1_000);
};
const found = (text: string): string[] =>
  store.search({ text, limit: 50 }).hits.map(({ kind, eventId }) => `${kind} ${eventId}`);

describe('hits of a search', () => {
  test('a search finds prompts, responses, updates and names, newest first', async () => {
    const { runId } = await run('alpha', 'whales');
    expect(store.search({ text: 'whales', limit: 50 })).toEqual({
      hits: [
        {
          kind: 'update',
          eventId: 6,
          runId,
          runName: 'Run alpha',
          turnId: null,
          at: 1_005,
          excerpt: expect.stringContaining('whales'),
        },
        {
          kind: 'turn',
          eventId: 5,
          runId,
          runName: 'Run alpha',
          turnId: 1,
          at: 1_004,
          excerpt: 'The answer on whales',
        },
        {
          kind: 'turn',
          eventId: 4,
          runId,
          runName: 'Run alpha',
          turnId: 1,
          at: 1_003,
          excerpt: 'Tell me of whales.',
        },
      ],
      more: false,
      indexedTo: 6,
      behind: 0,
    });
    expect(found('alpha')).toEqual(['run 1']);
  });

  test('a search knows the newest event, although nothing has indexed it yet', async () => {
    await run('alpha', 'whales');
    expect(found('whales')).toEqual(['update 6', 'turn 5', 'turn 4']);
    await run('beta', 'whales');
    store.close();
    // As after a run that a command hosted: its core ends before the index was due.
    store = place.open();
    expect(found('whales')).toHaveLength(6);
  });

  test('a search finds all of its words in any case and with or without accents', async () => {
    await run('alpha', 'Crème brûlée', 'cream');
    indexed();
    expect(found('CREME')).toEqual(['update 6', 'turn 5', 'turn 4']);
    expect(found('brulee said')).toEqual(['update 6']);
    expect(found('brulee cream')).toEqual([]);
  });

  test('a search finds a word that is still being typed, where nothing has it whole', async () => {
    await run('alpha', 'hippopotamus');
    indexed();
    expect(found('hippo')).toEqual(['update 6', 'turn 5', 'turn 4']);
    expect(found('hi')).toEqual([]);
  });

  test('a search is read page by page', async () => {
    await run('alpha', 'whales', 'whales', 'whales');
    indexed();
    const all = found('whales');
    expect(all).toHaveLength(9);
    const pages: string[] = [];
    for (let before: number | undefined; ; ) {
      const { hits, more } = store.search({ text: 'whales', before, limit: 2 });
      pages.push(...hits.map(({ kind, eventId }) => `${kind} ${eventId}`));
      before = hits.at(-1)?.eventId;
      if (!more) break;
    }
    expect(pages).toEqual(all);
  });

  test('a search finds nothing of the bin, and after a purge nothing at all', async () => {
    const gone = await run('gone', ...Array<string>(10).fill('whales'));
    const kept = await run('kept', 'whales');
    must(await gone.tell(runEnd, { type: 'run.binned', by: 'operator' }));
    indexed();
    const runs = (): number[] => store.search({ text: 'whales', limit: 2 }).hits.map(({ runId }) => runId);
    expect(runs()).toEqual([kept.runId, kept.runId]);
    expect(store.search({ text: 'gone', limit: 2 }).hits).toEqual([]);
    store.purgeRun(gone.runId);
    expect(runs()).toEqual([kept.runId, kept.runId]);
    expect(found('whales')).toHaveLength(3);
  });

  test('the search index goes on where it was after a restart', async () => {
    await run('alpha', 'whales');
    indexed();
    await run('beta', 'whales');
    store.close();
    store = place.open();
    expect(found('whales')).toHaveLength(6);
  });

  test('a search finds the event among many, in many steps', async () => {
    const teller = await run('alpha');
    must(await teller.tell(...Array.from({ length: 1_500 }, (_, n) => update(`number${n}`))));
    indexed();
    expect(store.search({ text: 'number1499', limit: 1 }).indexedTo).toBe(store.lastEventId());
    expect(found('number0')).toHaveLength(1);
  });
});

test('the feed is searched by word and result, up to its newest update', async () => {
  await run('alpha', 'whales', 'whales', 'sharks');
  const summaries = (query: Partial<Parameters<Store['feed']>[0]>): string[] =>
    store.feed({ limit: 10, ...query }).rows.map((row) => `${row.update.result} ${row.update.summary[0]}`);
  expect(summaries({ search: 'whales' })).toEqual([
    'failed Said all of whales',
    'completed Said all of whales',
  ]);
  expect(summaries({ search: 'whales', result: 'failed' })).toEqual(['failed Said all of whales']);
  expect(summaries({ search: 'whal', result: 'failed' })).toEqual(['failed Said all of whales']);
  expect(summaries({ search: 'whales', result: 'no-op' })).toEqual([]);
  expect(summaries({ search: '"*(' })).toEqual([]);
  const [newest] = store.feed({ limit: 1, search: 'whales' }).rows;
  expect(summaries({ search: 'whales', before: newest?.id })).toEqual(['completed Said all of whales']);
});

describe("a person's search text", () => {
  test('a search text is never an error', async () => {
    await run('alpha', 'whales AND "sharks" OR (NEAR^*)', 'काठमाडौं ｶﾞ Ⅷ 𝒳 é');
    indexed();
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('a', 'AND', ' ', '"', '*', '(', ')', '^', ':', '-', '+', '\0', 'NEAR', '́', 'ी'),
      }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        store.search({ text, limit: 5 });
        store.feed({ search: text, limit: 5 });
      }),
      { numRuns: 500 },
    );
  });

  test('a search text finds the words that it holds', async () => {
    await run('alpha', 'काठमाडौं', 'US-003', 'src/main.ts');
    indexed();
    for (const text of ['काठमाडौं', 'US-003', 'us 003', '(src/main.ts)']) expect(found(text)).toHaveLength(3);
  });

  test('a search text falls into words', () => {
    expect(wordsOf(' say "hello", US-003! hello ')).toEqual(['say', 'hello', 'US', '003']);
    expect(wordsOf('*"() ')).toEqual([]);
    expect(wordsOf('w '.repeat(50))).toEqual(['w']);
    expect(wordsOf('x'.repeat(100))).toEqual(['x'.repeat(64)]);
  });
});

test('an excerpt is the neighbourhood of the first word', () => {
  const text = `${'before '.repeat(40)}the WHALE\n\nsings ${'after '.repeat(60)}`;
  const excerpt = excerptOf(['whale'])(text);
  expect(excerpt).toContain('the WHALE sings');
  expect(excerpt.length).toBeLessThanOrEqual(242);
  expect([excerpt.at(0), excerpt.at(-1)]).toEqual(['…', '…']);
  expect(excerptOf(['none'])('short text')).toBe('short text');
  const summary = `${'a '.repeat(100)}The summary: ${'x'.repeat(48)} whale`;
  expect(excerptOf(['whale'])(summary)).toMatch(/^…summary: x+ whale$/);
});
