import type { AppError } from '@contract/errors';
import type { ReactNode } from 'react';
import { useRoute } from '../../client/hooks';
import { setQuery } from '../../client/route';
import { TextInput } from '../../ui/controls/field';
import type { ListProps, ListRow } from '../../ui/lists/list';
import { Frame, type FrameProps } from '../pages/frame';
import { ErrorNote } from '../problems/error-note';
import type { Earlier, Listed } from './earlier-runs';
import { openDetail, useListNav } from './list-nav';
import { RowList } from './row-list';
import { ShowEarlier } from './show-earlier';

interface ListViewProps<Row extends ListRow> extends Omit<FrameProps, 'list'> {
  readonly title: string;
  /** Names the list itself, if its rows are more than the title says. */
  readonly label?: string;
  readonly rows: readonly Row[];
  readonly selected: string | null;
  readonly draw: (row: Row) => ReactNode;
  readonly onSelect: (row: Row) => void;
  readonly onEnd?: (() => void) | undefined;
  readonly picking?: ListProps<Row>['picking'];
  /** At the top of the list. */
  readonly head: ReactNode;
  readonly error: AppError | null;
  /** Between the head and the rows. */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  /** Loads older entries of the list on demand. */
  readonly earlier?: Earlier<Listed>;
}

/** A view of a list with keys, and the selected item. */
export function ListView<Row extends ListRow>(props: ListViewProps<Row>) {
  const {
    title,
    label,
    rows,
    selected,
    draw,
    onSelect,
    onEnd,
    picking,
    head,
    error,
    above,
    below,
    earlier,
    ...frame
  } = props;
  useListNav({ rows, selected, onSelect });
  const list = (
    <section className="pane" aria-label={title}>
      <header className="pane-head">{head}</header>
      {error && <ErrorNote error={error} />}
      {above}
      <RowList
        label={label ?? title}
        rows={rows}
        selected={selected}
        draw={draw}
        onSelect={onSelect}
        onEnd={onEnd}
        picking={picking}
        onOpen={openDetail}
      />
      {below}
      {earlier && <ShowEarlier of={earlier} />}
    </section>
  );
  return <Frame list={list} {...frame} />;
}

/** Filters the list; the text is in the address. */
export function ListSearch({ of }: { readonly of: string }) {
  const { query } = useRoute();
  return (
    <TextInput
      type="search"
      aria-label={`Search the ${of}`}
      placeholder="Search"
      value={query.q ?? ''}
      onChange={(event) => setQuery({ q: event.target.value })}
    />
  );
}
