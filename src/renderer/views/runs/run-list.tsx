import { runStatusSchema } from '@contract/run/state';
import { type ReactNode, useCallback } from 'react';
import { bytes, count, money, plural } from '../../client/format';
import { useRoute } from '../../client/hooks';
import { hashOf, navigate, replaceRoute, setQuery } from '../../client/route';
import { Ago } from '../../parts/ago';
import { openDetail } from '../../parts/list-nav';
import { Marked } from '../../parts/marks';
import { RowList } from '../../parts/row-list';
import { runWordOf, runWords } from '../../parts/words';
import { Select, TextInput } from '../../ui/field';
import { Tabs } from '../../ui/tabs';
import { TwoLines } from '../../ui/two-lines';
import { EmptyTheBin } from './bin';
import type { Listing, RunListRow } from './run-rows';

interface RunListProps {
  readonly listing: Listing;
  readonly selected: string | null;
  readonly error: ReactNode;
}

export function RunList({ listing, selected, error }: RunListProps) {
  const { list, rows, binned } = listing;
  const readMore = useCallback(() => void list.readMore(), [list]);
  return (
    <section className="pane" aria-label="Runs">
      <header className="pane-head">
        <Tabs
          label="Runs"
          value={binned ? 'bin' : 'runs'}
          tabs={[
            { id: 'runs', label: 'Runs' },
            { id: 'bin', label: 'Bin' },
          ]}
          onChange={(tab) => navigate(tab === 'bin' ? hashOf('runs', 'bin') : hashOf('runs'))}
        />
      </header>
      <Filters />
      {error}
      <RowList
        label={binned ? 'Runs in the bin' : 'Runs'}
        rows={rows}
        selected={selected}
        draw={(row) => <Row row={row} />}
        onSelect={(row) => replaceRoute(listing.hashOf(row.run.uid))}
        onOpen={openDetail}
        onEnd={readMore}
      />
      {binned && rows.length > 0 && <EmptyTheBin runs={rows.map((row) => row.run)} />}
    </section>
  );
}

function Filters() {
  const { query } = useRoute();
  return (
    <div className="filters">
      <TextInput
        type="search"
        aria-label="Search the runs"
        placeholder="Search"
        value={query.q ?? ''}
        onChange={(event) => setQuery({ q: event.target.value })}
      />
      <Select
        aria-label="Status"
        value={query.status ?? ''}
        onChange={(event) => setQuery({ status: event.target.value })}
      >
        <option value="">Any status</option>
        {runStatusSchema.options.map((status) => (
          <option key={status} value={status}>
            {runWords[status].word}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Row({ row: { run } }: { row: RunListRow }) {
  return (
    <TwoLines
      mark={<Marked word={runWordOf(run)} markOnly />}
      title={run.name}
      end={<Ago at={run.startedAt} />}
      under={under(run)}
      underEnd={
        run.openGates > 0 ? <span className="waits-text">{plural(run.openGates, 'gate')}</span> : spent(run)
      }
    />
  );
}

function spent(run: RunListRow['run']): string {
  if (run.bytes !== null) return bytes(run.bytes);
  if (run.costUsd > 0) return money(run.costUsd);
  return run.tokens > 0 ? `${count(run.tokens)} tokens` : '';
}

function under(run: RunListRow['run']): string {
  if (run.now !== null && run.finishedAt === null) return run.now;
  const word = runWordOf(run).word;
  return run.reason ? `${word}: ${run.reason}` : `${word} · ${run.projectName}`;
}
