import { expect, test } from 'vitest';
import { z } from 'zod';
import { type EventIn, event, type Reducers, reducerOf, TOLD_ONLY } from './event-table';
import { eventKinds, runEventSchema } from './events';

test('a kind makes its schema when it is first parsed with, and once', () => {
  let made = 0;
  const { schema } = event('a.happened', () => {
    made += 1;
    return { by: z.string() };
  });
  expect(made).toBe(0);
  for (const by of ['x', 'y']) {
    expect(schema.parse({ type: 'a.happened', by })).toEqual({ type: 'a.happened', by });
  }
  expect(made).toBe(1);
  expect(schema.safeParse({ type: 'b.happened', by: 'x' }).success).toBe(false);
});

test('each kind has a type of its own, and all of them are events of a run', () => {
  const types = eventKinds.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  expect(runEventSchema.safeParse({ type: 'run.workspace-requested' }).success).toBe(true);
  expect(runEventSchema.safeParse({ type: 'run.unheard-of' }).success).toBe(false);
});

const kinds = [
  event('shop.opened', () => ({ at: z.number() })),
  event('shop.sold', () => ({ what: z.string() })),
] as const;
type ShopEvent = EventIn<typeof kinds>;
interface Shop {
  open: boolean;
  sold: string[];
}

test('a table of reducers without an entry for each event, or with one too many, does not compile', () => {
  const opened = (shop: Shop): void => {
    shop.open = true;
  };
  // @ts-expect-error `shop.sold` has no reducer and is not told only
  const gap: Reducers<Shop, ShopEvent> = { 'shop.opened': opened };
  const extra: Reducers<Shop, ShopEvent> = {
    'shop.opened': opened,
    'shop.sold': TOLD_ONLY,
    // @ts-expect-error there is no such event
    'shop.burnt': opened,
  };
  const wrong: Reducers<Shop, ShopEvent> = {
    'shop.opened': opened,
    // @ts-expect-error it takes the fields of its own event only
    'shop.sold': (shop, { at }) => shop.sold.push(String(at)),
  };
  expect([gap, extra, wrong]).toHaveLength(3);
});

test('an event is folded by its own reducer, and one of another area changes nothing', () => {
  const shop: Shop = { open: false, sold: [] };
  const reducers: Reducers<Shop, ShopEvent> = {
    'shop.opened': TOLD_ONLY,
    'shop.sold': (state, { what }) => void state.sold.push(what),
  };
  for (const type of ['shop.opened', 'shop.sold', 'park.opened'])
    reducerOf(reducers, { type })?.(shop, { type, what: 'bread' } as { type: string }, 1);
  expect(shop).toEqual({ open: false, sold: ['bread'] });
});
