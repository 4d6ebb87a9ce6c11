import { useClock } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import type { Reading } from '@renderer/client/wire/query';
import { ActIcon } from '@renderer/parts/controls/act';
import { openDetail } from '@renderer/parts/lists/list-nav';
import { RowList } from '@renderer/parts/lists/row-list';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Select, TextInput } from '@renderer/ui/controls/field';
import { Tabs } from '@renderer/ui/controls/tabs';
import { ListTree } from 'lucide-react';
import { useMemo } from 'react';
import styles from './inbox.module.css';
import { ItemRow } from './item-row';
import { countOf, type Filter, type Item, projectsOf } from './parts/items';
import type { InboxRow } from './rows';

interface ItemColumnProps {
  readonly reading: Reading<unknown>;
  readonly showClosed: boolean;
  readonly items: readonly Item[];
  readonly rows: readonly InboxRow[];
  readonly filter: Filter;
  readonly byRun: boolean;
  readonly selected: string | null;
  readonly onFilter: (filter: Filter) => void;
  readonly onSelect: (row: InboxRow) => void;
  /** Nothing waits, though a closed gate is still shown. */
  readonly empty: boolean;
}

/** The list of what needs the operator, or of closed gates. */
export function ItemColumn(props: ItemColumnProps) {
  const { reading, showClosed, items, rows, selected, onSelect, empty, byRun } = props;
  const waiting = useClock((now) => countOf(items, now));
  return (
    <section className="pane" aria-label="Gates">
      <header className="pane-head">
        <Tabs
          label="Gates"
          value={showClosed ? 'closed' : 'waiting'}
          tabs={[
            { id: 'waiting', label: 'Needs you', count: waiting },
            { id: 'closed', label: 'Closed' },
          ]}
          onChange={(tab) => navigate(tab === 'closed' ? hashOf('inbox', 'closed') : hashOf('inbox'))}
        />
        <span className="grow" />
        {!showClosed && <ActIcon action="inbox.byRun" icon={ListTree} label="Group by run" active={byRun} />}
      </header>
      {!showClosed && items.length > 0 && <Filters {...props} />}
      {reading.error && <ErrorNote error={reading.error} />}
      {empty && <p className={`quiet ${styles.inboxEmpty}`}>Nothing waits for you</p>}
      {!empty && items.length > 0 && rows.length === 0 && !showClosed && (
        <p className={`quiet ${styles.inboxEmpty}`}>No matches</p>
      )}
      <RowList
        label={showClosed ? 'Closed gates' : 'Waiting gates'}
        rows={rows}
        selected={selected}
        draw={(row) => <ItemRow row={row} inRun={byRun && !showClosed} />}
        onSelect={onSelect}
        onOpen={openDetail}
      />
    </section>
  );
}

function Filters({ items, filter, onFilter }: Pick<ItemColumnProps, 'items' | 'filter' | 'onFilter'>) {
  const projects = useMemo(() => projectsOf(items), [items]);
  return (
    <div className="filters">
      <TextInput
        type="search"
        aria-label="Search what needs you"
        placeholder="Search"
        value={filter.search}
        onChange={(event) => onFilter({ ...filter, search: event.target.value })}
      />
      {(projects.length > 1 || filter.project !== null) && (
        <Select
          aria-label="Project"
          value={filter.project ?? ''}
          onChange={(event) => onFilter({ ...filter, project: event.target.value || null })}
        >
          <option value="">All projects</option>
          {projects.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
    </div>
  );
}
