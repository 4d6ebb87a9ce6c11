import type { ActionSpecs } from '../../client/actions';
import { useHandlers } from '../../client/hooks';
import { type ListRow, stepFrom } from '../../ui/lists/list';

export const listActions = {
  'list.next': { title: 'Next', keys: 'j', group: 'Lists', quiet: true, repeats: true },
  'list.previous': { title: 'Previous', keys: 'k', group: 'Lists', quiet: true, repeats: true },
  'list.open': { title: 'Open', keys: 'Enter', group: 'Lists', quiet: true },
  'list.back': { title: 'Back', keys: 'Esc', group: 'Lists', quiet: true, inText: true },
  'list.search': { title: 'Search here', keys: '/', group: 'Lists', quiet: true },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof listActions, true> {}
}

interface ListNav<Row extends ListRow> {
  readonly rows: readonly Row[];
  readonly selected: string | null;
  readonly onSelect: (row: Row) => void;
  /** If there is no detail beside the list. */
  readonly onOpen?: ((row: Row) => void) | undefined;
}

const LIST = '[data-part="list"]';
const inDetail = (): boolean =>
  document.activeElement?.closest('[data-part="column-detail"], [data-part="column-side"]') !== null;
const focusOn = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();

/** j and k move through a list wherever the focus is; Enter goes to the detail, Esc back to the list. */
export function useListNav<Row extends ListRow>({ rows, selected, onSelect, onOpen }: ListNav<Row>): void {
  const at = rows.findIndex((row) => row.key === selected);
  const move = (by: 1 | -1) => () => {
    const next = stepFrom(rows, at, by);
    if (next) onSelect(next);
  };
  useHandlers(
    { 'list.next': move(1), 'list.previous': move(-1) },
    () => document.activeElement?.closest('[data-nav]') == null,
  );
  useHandlers({
    'list.search': () =>
      focusOn('[data-part="column-list"] input[type="search"], [data-part="narrow"] input[type="search"]'),
    'list.back': () => {
      const active = document.activeElement;
      if (active instanceof HTMLInputElement && active.type === 'search') focusOn(LIST);
      else if (inDetail()) focusOn(LIST);
    },
  });
  const row = rows[at];
  const open = onOpen ? row && (() => onOpen(row)) : openDetail;
  useHandlers({ 'list.open': open ?? null }, () => {
    const active = document.activeElement;
    return active === document.body || active?.matches(LIST) === true;
  });
}

export function openDetail(): void {
  const selector =
    '[data-part="column-detail"] [data-nav] [data-part="stack"], [data-part="column-detail"] [data-focus]';
  document.querySelector<HTMLElement>(selector)?.focus();
}
