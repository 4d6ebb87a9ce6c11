import { type EventIn, event } from '@contract/run/event-table';
import type { RunEvent } from '@contract/run/events';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { LiveRun } from '../base/live-run';
import { defineModule, type FeatureEffects, NO_EFFECT } from '../feature-module';
import { type EffectTable, startBy } from './effect-table';

const kinds = [event('shop.opened', () => ({ at: z.number() })), event('shop.sold', () => ({}))] as const;
type ShopEvent = EventIn<typeof kinds>;

const run = {} as LiveRun;

test('an event of the platform without a decision about its effect does not compile', () => {
  // @ts-expect-error nothing says what `shop.sold` starts
  const gap: EffectTable<ShopEvent> = { 'shop.opened': NO_EFFECT };
  expect(gap).toBeDefined();
});

test('an event of a feature without a decision about its effect does not compile', () => {
  // @ts-expect-error nothing says what `shop.sold` starts
  const gap: FeatureEffects<ShopEvent> = { 'shop.opened': NO_EFFECT };
  expect(gap).toBeDefined();
});

test('an event starts its own effect, and an event of another area starts nothing', () => {
  const started: unknown[] = [];
  const table: EffectTable<ShopEvent> = {
    'shop.opened': (_, { at }) => void started.push(at),
    'shop.sold': NO_EFFECT,
  };
  for (const type of ['shop.opened', 'shop.sold', 'park.opened'])
    startBy(table, run, { type, at: 7 } as ShopEvent);
  expect(started).toEqual([7]);
});

test('a feature gets its own events only', () => {
  const module = defineModule<ShopEvent>({
    effects: {
      'shop.opened': {
        begin: async () => undefined,
        broken: () => ({ type: 'run.workspace-requested' }),
      },
      'shop.sold': NO_EFFECT,
    },
  });
  const has = (type: string) => module.effectOf({ type } as RunEvent) !== null;
  expect([has('shop.opened'), has('shop.sold'), has('park.opened')]).toEqual([true, false, false]);
});
