import { ruleIdOf } from '@contract/permission/rule';
import { Inbox } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { gateKey } from '../../client/gate-key';
import { useClock, useHandlers, useQuery, useReadable, useRoute } from '../../client/hooks';
import { closedGates, openGates } from '../../client/lists';
import { hashOf, navigate, replaceRoute } from '../../client/route';
import { ErrorNote } from '../../parts/error-note';
import { Frame } from '../../parts/frame';
import { useListNav } from '../../parts/list-nav';
import { RowList } from '../../parts/row-list';
import { Empty } from '../../ui/note';
import { Tabs } from '../../ui/tabs';
import { EmptyInbox } from './empty-inbox';
import { GateDetail } from './gate-detail';
import { GateListRow } from './gate-list-row';
import { MissingGate } from './missing-gate';
import {
  type Address,
  afterwards,
  closedRows,
  type InboxRow,
  isSnoozed,
  selectionOf,
  waitingRows,
} from './rows';
import './inbox.css';

export { inboxActions } from './actions';

/** How many gates wait now. */
export function useWaiting(): number {
  const { value } = useReadable(openGates);
  return useClock((now) => (value ?? []).filter((gate) => !isSnoozed(gate, now)).length);
}

/** The run and gate that the address names; a run may be named by its uid. */
function useAddressed(): Address {
  const { path } = useRoute();
  const [place, run = '', gate = ''] = path;
  const named = place === 'gate';
  const byUid = named && !/^\d+$/.test(run);
  const found = useQuery('run.find', byUid ? { name: run } : null);
  if (!byUid) return { named, key: named ? `${run}/${gate}` : null, unknown: false };
  return { named, key: found.value ? `${found.value.id}/${gate}` : null, unknown: found.status === 'failed' };
}

const open = (key: string) => `#/gate/${key}`;

export function InboxView() {
  const { path } = useRoute();
  const addressed = useAddressed();
  const waiting = useReadable(openGates);
  const closed = useReadable(closedGates);
  const minute = useClock((now) => Math.floor(now / 10_000) * 10_000);
  const isClosed = closed.value?.some((gate) => gateKey(gate) === addressed.key) === true;
  const rowsOpen = waitingRows(waiting.value ?? [], minute);
  const keys = rowsOpen.filter((row) => !row.heading).map((row) => row.key);
  const next = useNext(keys, addressed.key);
  const read = waiting.status === 'ready' && closed.status === 'ready';
  const selection = selectionOf(addressed, { next, waiting: keys, isClosed, read });
  const selected = selection.what === 'gate' ? selection.key : null;
  const showClosed = path[1] === 'closed' || (path[0] === 'gate' && isClosed && selected === addressed.key);
  const rows = showClosed ? closedRows(closed.value ?? []) : rowsOpen;
  const key = showClosed ? (addressed.key ?? firstKey(rows)) : selected;
  // What a rule answered is no news: it stands in the list of closed gates and nowhere else.
  const last = closed.value?.find((gate) => ruleIdOf(gate.by) === null) ?? null;
  const row = rows.find((row) => row.key === key);
  const select = (row: InboxRow) => replaceRoute(open(row.key));
  useListNav({ rows, selected: key, onSelect: select });
  useHandlers({
    'inbox.waiting': showClosed ? () => navigate(hashOf('inbox')) : null,
    'inbox.closed': showClosed ? null : () => navigate(hashOf('inbox', 'closed')),
  });
  const reading = showClosed ? closed : waiting;
  const list = (
    <section className="pane" aria-label="Gates">
      <header className="pane-head">
        <Tabs
          label="Gates"
          value={showClosed ? 'closed' : 'waiting'}
          tabs={[
            { id: 'waiting', label: 'Waiting', count: waiting.value?.length },
            { id: 'closed', label: 'Closed' },
          ]}
          onChange={(tab) => navigate(tab === 'closed' ? hashOf('inbox', 'closed') : hashOf('inbox'))}
        />
      </header>
      {reading.error && <ErrorNote error={reading.error} />}
      <RowList
        label={showClosed ? 'Closed gates' : 'Waiting gates'}
        rows={rows}
        selected={key}
        draw={(row) => <GateListRow row={row} />}
        onSelect={select}
      />
    </section>
  );
  const detail =
    row && !row.heading ? (
      <GateDetail key={row.key} gate={row.gate} last={last} />
    ) : selection.what === 'missing' ? (
      <MissingGate run={addressed.unknown ? null : (path[1] ?? null)} gate={path[2] ?? ''} />
    ) : showClosed ? (
      <Empty icon={Inbox} title="No gate has been closed yet" />
    ) : (
      selection.what === 'gate' && reading.status !== 'loading' && <EmptyInbox last={last} />
    );
  return <Frame id="inbox" list={list} detail={detail} front={path[0] === 'gate' ? 'detail' : 'list'} />;
}

const firstKey = (rows: readonly InboxRow[]): string | null => rows.find((row) => !row.heading)?.key ?? null;

/** A gate that waited and was answered here (or elsewhere): the one after it takes its place. Undefined where none was. */
function useNext(keys: readonly string[], addressed: string | null): string | null | undefined {
  const before = useRef(keys);
  const gone = addressed !== null && !keys.includes(addressed) && before.current.includes(addressed);
  const next = gone ? afterwards(before.current, addressed, keys) : undefined;
  useEffect(() => {
    if (next === undefined) before.current = keys;
    else replaceRoute(next === null ? hashOf('inbox') : open(next));
  });
  return next;
}
