import { money } from '@renderer/client/format';
import { useClock, useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { setQuery } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { ActButton } from '@renderer/parts/controls/act';
import { copyText } from '@renderer/parts/controls/copy';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Select } from '@renderer/ui/controls/field';
import { Empty } from '@renderer/ui/layout/note';
import { Download, Wallet } from 'lucide-react';
import { useMemo } from 'react';
import { type Spend, type SpendBy, spendBySchema } from '../contract/procedures';
import { costOfAccepted, SPEND_TITLES, sortedSpend, spendCsv } from '../contract/table';
import { PERIODS, placeOf, sortQuery, timeOf } from './place';
import styles from './spend.module.css';
import { SpendCharts } from './spend-charts';
import { SpendTable } from './spend-table';

const byIds = spendBySchema.options;

/** The usage of agents, grouped by one property at a time. */
export function SpendView() {
  const { query } = useRoute();
  const place = useMemo(() => placeOf(query), [query]);
  const { by, days, day, projectId, order } = place;
  // The period changes with the day, not with each second.
  const from = useClock((now) => timeOf(place, now).from);
  const before = useClock((now) => timeOf(place, now).before ?? 0);
  const selection = { by, from, before: before === 0 ? null : before, projectId };
  const { value: spend, status, error } = useQuery('spend.list', selection);
  const daily = useQuery('spend.list', { ...selection, by: 'day' });
  const projects = useQuery('project.list', {});
  const isEmpty = spend?.totals.turns === 0;
  const listed = spend === null || isEmpty ? null : spend;
  useHandlers({
    ...Object.fromEntries(byIds.map((id) => [`spend.by.${id}`, id === by ? null : () => show(id)])),
    'spend.copy': listed
      ? () => {
          const rows = order === null ? listed.rows : sortedSpend(listed.rows, order);
          copyText(spendCsv(by, rows), 'Copied the table as CSV');
        }
      : null,
    'spend.export': listed ? () => void exportTable(selection) : null,
  });
  return (
    <section className="pane" aria-label="Spend" aria-busy={status === 'loading'}>
      <header className="pane-head">
        <Select aria-label="Added up by" value={by} onChange={(event) => show(event.target.value)}>
          {byIds.map((id) => (
            <option key={id} value={id}>
              By {SPEND_TITLES[id].toLowerCase()}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Time"
          value={day ?? String(days)}
          onChange={(event) => setQuery({ days: event.target.value, day: '' })}
        >
          {day !== null && <option value={day}>{day}</option>}
          {PERIODS.map((period) => (
            <option key={period.days} value={period.days}>
              {period.title}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Project"
          value={projectId ?? ''}
          onChange={(event) => setQuery({ project: event.target.value })}
        >
          <option value="">All projects</option>
          {(projects.value ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <span className="grow" />
        <ActButton action="spend.copy" disabled={listed === null}>
          Copy CSV
        </ActButton>
        <ActButton action="spend.export" icon={Download} disabled={listed === null}>
          Export
        </ActButton>
      </header>
      {error && <ErrorNote error={error} />}
      {isEmpty && (
        <Empty
          icon={Wallet}
          title={PIECE_WORDS[by]?.none ?? 'No usage in this period'}
          acts={<RunWorkflow />}
        >
          Each turn of an agent is counted here when it ends.
        </Empty>
      )}
      {listed && (
        <div className={`${styles.body} scroll`}>
          <SpendCharts days={daily.value?.rows ?? []} />
          <Accepted by={by} spend={listed} />
          <SpendTable
            by={by}
            order={order}
            query={query}
            spend={listed}
            onSort={(column) => setQuery(sortQuery(order, column))}
          />
        </div>
      )}
    </section>
  );
}

const PIECE_WORDS: Partial<Record<SpendBy, { readonly none: string; readonly many: string }>> = {
  story: { none: 'No work on stories in this period', many: 'stories' },
  round: { none: 'No delivered rounds in this period', many: 'rounds' },
};

/** The accepted work, and the total cost, including rejected work, per accepted story or round. */
function Accepted({ by, spend }: { by: SpendBy; spend: Spend }) {
  if (spend.pieces === null) return null;
  const { all, accepted } = spend.pieces;
  const each = costOfAccepted(spend);
  return (
    <p>
      {accepted} of {all} {PIECE_WORDS[by]?.many} accepted
      {each !== null && `, ${money(each)} each, including all attempts`}
    </p>
  );
}

const show = (by: string): void => setQuery({ by, sort: '', up: '' });

type SpendSelection = { by: SpendBy; from: number; before: number | null; projectId: number | null };

async function exportTable(selection: SpendSelection): Promise<void> {
  const picked = await attempt(
    call('app.saveAs', { title: 'Export the table', name: `spend-by-${selection.by}.csv` }),
  );
  if (!picked?.path) return;
  const path = picked.path;
  await attempt(call('spend.export', { ...selection, limit: 10_000, path }), `Exported to ${path}`);
}
