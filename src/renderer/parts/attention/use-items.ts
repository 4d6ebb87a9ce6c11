import { useMemo } from 'react';
import { useClock, useReadable } from '../../client/hooks';
import { besides } from '../../client/lists/attention';
import { openGates } from '../../client/lists/lists';
import { decisions } from '../../client/sending/decisions';
import { countOf, gateItem, type Item, itemsBesides } from './items';

/** All that is on the attention list, without what was just decided in this window. */
export function useItems() {
  const gates = useReadable(openGates);
  const others = useReadable(besides);
  const held = useReadable(decisions.held);
  const items = useMemo(() => {
    const decided = new Set(held.map(({ key }) => key));
    const all: Item[] = (gates.value ?? []).map(gateItem);
    return [...all, ...(others.value ? itemsBesides(others.value) : [])].filter(
      ({ key }) => !decided.has(key),
    );
  }, [gates.value, others.value, held]);
  return { items, gates, others };
}

/** How much needs the operator now. */
export function useNeedsYou(): number {
  const { items } = useItems();
  return useClock((now) => countOf(items, now));
}
