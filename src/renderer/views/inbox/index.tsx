import type { GateRow } from '@contract/gate/procedures';
import { ruleIdOf } from '@contract/permission/rule';
import { Inbox } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { gateKey } from '../../client/gate-key';
import { useClock, useHandlers, useQuery, useReadable, useRoute } from '../../client/hooks';
import { closedGates, openGates } from '../../client/lists';
import type { Reading } from '../../client/query';
import { hashOf, navigate, replaceRoute } from '../../client/route';
import { ErrorNote } from '../../parts/error-note';
import { Frame } from '../../parts/frame';
import { ownAnswers } from '../../parts/gate/own-answers';
import { useListNav } from '../../parts/list-nav';
import { RowList } from '../../parts/row-list';
import { Empty } from '../../ui/note';
import { Tabs } from '../../ui/tabs';
import { EmptyInbox } from './empty-inbox';
import { GateDetail } from './gate-detail';
import { GateListRow } from './gate-list-row';
import styles from './inbox.module.css';
import { MissingGate } from './missing-gate';
import {
  type Address,
  afterShown,
  closedRows,
  type InboxRow,
  isSnoozed,
  STAYS_MS,
  selectionOf,
  waitingRows,
} from './rows';

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
  const unknown = found.error?.code === 'not_found';
  return { named, key: found.value ? `${found.value.id}/${gate}` : null, unknown };
}

const open = (key: string) => `#/gate/${key}`;

export function InboxView() {
  const { path } = useRoute();
  const addressed = useAddressed();
  const waiting = useReadable(openGates);
  const closed = useReadable(closedGates);
  const minute = useClock((now) => Math.floor(now / 10_000) * 10_000);
  const rowsOpen = waitingRows(waiting.value ?? [], minute);
  const keys = rowsOpen.filter((row) => !row.heading).map((row) => row.key);
  const inHistory = path[1] === 'closed' && !addressed.named;
  const { kept, next, stays, isClosed } = usePlace({ keys, addressed, inHistory, closed });
  const read = waiting.status === 'ready' && closed.status === 'ready';
  const selection = selectionOf(addressed, { next, stays, kept, waiting: keys, isClosed, read });
  const selected = selection.what === 'gate' ? selection.key : null;
  const showClosed = inHistory || (addressed.named && isClosed && selected === addressed.key && !stays);
  const rows = showClosed ? closedRows(closed.value ?? []) : rowsOpen;
  const key = showClosed ? (addressed.key ?? firstKey(rows)) : selected;
  // What a rule answered is no news: it stands in the list of closed gates and nowhere else.
  const last = closed.value?.find((gate) => ruleIdOf(gate.by) === null) ?? null;
  const row = rows.find((row) => row.key === key);
  const gate = row && !row.heading ? row.gate : closed.value?.find((gate) => gateKey(gate) === key);
  const select = (row: InboxRow) => replaceRoute(open(row.key));
  useListNav({ rows, selected: key, onSelect: select });
  useHandlers({
    'inbox.waiting': showClosed ? () => navigate(hashOf('inbox')) : null,
    'inbox.closed': showClosed ? null : () => navigate(hashOf('inbox', 'closed')),
  });
  const reading = showClosed ? closed : waiting;
  const list = (
    <GateColumn
      reading={reading}
      showClosed={showClosed}
      waiting={waiting.value?.length}
      rows={rows}
      selected={key}
      onSelect={select}
      empty={stays && keys.length === 0}
    />
  );
  const [run = null, gateId = ''] = addressed.named ? path.slice(1) : (kept?.split('/') ?? []);
  const detail = gate ? (
    <GateDetail key={key} gate={gate} last={last} />
  ) : selection.what === 'missing' ? (
    <MissingGate run={addressed.unknown ? null : run} gate={gateId} />
  ) : showClosed ? (
    <Empty icon={Inbox} title="No gate has been closed yet" />
  ) : (
    selection.what === 'gate' && reading.status === 'ready' && <EmptyInbox last={last} />
  );
  return <Frame id="inbox" list={list} detail={detail} front={path[0] === 'gate' ? 'detail' : 'list'} />;
}

interface GateColumnProps {
  readonly reading: Reading<readonly GateRow[]>;
  readonly showClosed: boolean;
  /** How many wait, where it is known. */
  readonly waiting: number | undefined;
  readonly rows: readonly InboxRow[];
  readonly selected: string | null;
  readonly onSelect: (row: InboxRow) => void;
  /** Nothing waits, though a gate that has ended is still shown. */
  readonly empty: boolean;
}

function GateColumn({ reading, showClosed, waiting, rows, selected, onSelect, empty }: GateColumnProps) {
  return (
    <section className="pane" aria-label="Gates">
      <header className="pane-head">
        <Tabs
          label="Gates"
          value={showClosed ? 'closed' : 'waiting'}
          tabs={[
            { id: 'waiting', label: 'Waiting', count: waiting },
            { id: 'closed', label: 'Closed' },
          ]}
          onChange={(tab) => navigate(tab === 'closed' ? hashOf('inbox', 'closed') : hashOf('inbox'))}
        />
      </header>
      {reading.error && <ErrorNote error={reading.error} />}
      {empty && <p className={`quiet ${styles.inboxEmpty}`}>Nothing waits for you</p>}
      <RowList
        label={showClosed ? 'Closed gates' : 'Waiting gates'}
        rows={rows}
        selected={selected}
        draw={(row) => <GateListRow row={row} />}
        onSelect={onSelect}
      />
    </section>
  );
}

const firstKey = (rows: readonly InboxRow[]): string | null => rows.find((row) => !row.heading)?.key ?? null;

interface PlaceParts {
  readonly keys: readonly string[];
  readonly addressed: Address;
  /** The closed ones are looked at. */
  readonly inHistory: boolean;
  readonly closed: Reading<readonly GateRow[]>;
}

/** The gate that is looked at, and what comes of it where it waits no more. */
function usePlace({ keys, addressed, inHistory, closed }: PlaceParts) {
  const before = useRef(keys);
  const kept = useRef<string | null>(null);
  const unnamed = !addressed.named && !inHistory;
  if (!unnamed) kept.current = null;
  else kept.current ??= keys[0] ?? null;
  const key = unnamed ? kept.current : addressed.key;
  const end = closed.value?.find((gate) => gateKey(gate) === key);
  const isClosed = end !== undefined;
  const own = key !== null && ownAnswers.has(key);
  const lately = useClock((now) => end?.closedAt != null && now - end.closedAt < STAYS_MS);
  const { next, stays } = afterShown({ key, before: before.current, waiting: keys, own, isClosed, lately });
  useEffect(() => {
    if (next !== undefined && !unnamed) replaceRoute(next === null ? hashOf('inbox') : open(next));
    else if (!stays) {
      if (next !== undefined) kept.current = next;
      before.current = keys;
    }
  });
  return { kept: kept.current, next, stays, isClosed };
}
