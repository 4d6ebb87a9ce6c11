import { runStatusSchema } from '@contract/run/state';
import { bytes, count, money, plural } from '@renderer/client/format';
import { useReadable, useRoute } from '@renderer/client/hooks';
import { besides } from '@renderer/client/lists/attention';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { ListSearch } from '@renderer/parts/lists/list-view';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago, ResumesIn } from '@renderer/parts/text/ago';
import { nowWords, runWordOf, runWords } from '@renderer/parts/words/status-words';
import { Select } from '@renderer/ui/controls/field';
import { Tabs } from '@renderer/ui/controls/tabs';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { NO_PICKS } from '@renderer/ui/lists/picks';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { EmptyTheBin } from './bin';
import { BulkBar } from './bulk-bar';
import type { Listing, RunListRow } from './run-rows';

/** The column of runs, or of the runs in the bin. */
export const listOf = ({ list, rows, binned, picks, picked, pick }: Listing) => ({
  title: 'Runs',
  label: binned ? 'Runs in the bin' : 'Runs',
  rows,
  draw: (row: RunListRow) => <Row row={row} />,
  onEnd: list.readMore,
  picking: { picks, onPick: pick },
  head: (
    <Tabs
      label="Runs"
      value={binned ? 'bin' : 'runs'}
      tabs={[
        { id: 'runs', label: 'Runs' },
        { id: 'bin', label: 'Bin' },
      ]}
      onChange={(tab) => navigate(tab === 'bin' ? hashOf('runs', 'bin') : hashOf('runs'))}
    />
  ),
  above: <Filters />,
  below:
    picked.length > 0 ? (
      <BulkBar runs={picked} onDone={() => pick(NO_PICKS)} />
    ) : (
      binned && rows.length > 0 && <EmptyTheBin runs={rows.map((row) => row.run)} />
    ),
});

function Filters() {
  const { query } = useRoute();
  return (
    <div className="filters">
      <ListSearch of="runs" />
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
      title={inPlainSight(run.name)}
      end={
        <>
          <span className="faint">#{run.id}</span> <Ago at={run.startedAt} />
        </>
      }
      under={under(run)}
      underEnd={
        run.openGates > 0 ? (
          <span className="waits-text">{plural(run.openGates, 'gate')}</span>
        ) : (
          <Later run={run} />
        )
      }
    />
  );
}

/** The time at which a waiting run resumes, else the tokens and cost of the run. */
function Later({ run }: Pick<RunListRow, 'run'>) {
  const { value } = useReadable(besides);
  const wait = value?.waits.find(({ runId }) => runId === run.id);
  if (wait === undefined || run.finishedAt !== null) return spent(run);
  return <ResumesIn at={wait.at} />;
}

function spent(run: RunListRow['run']): string {
  if (run.bytes !== null) return bytes(run.bytes);
  if (run.costUsd > 0) return money(run.costUsd);
  return run.tokens > 0 ? `${count(run.tokens)} tokens` : '';
}

function under(run: RunListRow['run']): string {
  if (run.now !== null && run.finishedAt === null) return nowWords(run);
  const word = runWordOf(run).word;
  const outcome = run.reason ? `${word}: ${run.reason}` : word;
  return [outcome, run.projectName, run.agents].filter(Boolean).join(' · ');
}
