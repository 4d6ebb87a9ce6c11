import { useClock, useReadable } from '@renderer/client/hooks';
import { besides } from '@renderer/client/lists/attention';
import { openGates } from '@renderer/client/lists/lists';
import { decisions } from '@renderer/client/sending/decisions';
import { countOf, gateItem, type Item, itemsBesides } from './items';

type Parts = readonly [gates: Gates, others: Others, held: Held];
type Gates = ReturnType<typeof openGates.get>['value'];
type Others = ReturnType<typeof besides.get>['value'];
type Held = ReturnType<typeof decisions.held.get>;

let last: { readonly of: Parts; readonly items: readonly Item[] } | null = null;

/** The status bar, the rail and the inbox show the same list: it is built once. */
function itemsOf(...of: Parts): readonly Item[] {
  if (last === null || of.some((part, index) => part !== last?.of[index])) {
    const [gates, others, held] = of;
    const decided = new Set(held.map(({ key }) => key));
    const all = [...(gates ?? []).map(gateItem), ...(others ? itemsBesides(others) : [])];
    last = { of, items: decided.size === 0 ? all : all.filter(({ key }) => !decided.has(key)) };
  }
  return last.items;
}

/** The whole attention list, without the items just decided in this window. */
export function useItems() {
  const gates = useReadable(openGates);
  const others = useReadable(besides);
  const held = useReadable(decisions.held);
  return { items: itemsOf(gates.value, others.value, held), gates, others };
}

/** The number of items that need the operator now. */
export function useNeedsYou(): number {
  const { items } = useItems();
  return useClock((now) => countOf(items, now));
}
