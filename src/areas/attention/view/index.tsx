import { ownAnswers } from '@areas/gates/view/parts/answer/own-answers';
import { ruleIdOf } from '@areas/permissions/contract/rule';
import { useClock, useHandlers, useQuery, useReadable, useRoute, useSwitch } from '@renderer/client/hooks';
import { gateKey } from '@renderer/client/lists/gate-key';
import { closedGates } from '@renderer/client/lists/lists';
import { hashOf, navigate, replaceRoute } from '@renderer/client/route';
import { DECIDED_ROW_MS, WAITED_MS } from '@renderer/limits';
import { useListNav } from '@renderer/parts/lists/list-nav';
import { Frame } from '@renderer/parts/pages/frame';
import { Empty } from '@renderer/ui/layout/note';
import { Inbox } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyInbox } from './empty-inbox';
import { ItemColumn } from './item-column';
import { ItemDetail } from './item-detail';
import { MissingGate } from './missing-gate';
import { type Filter, gateItem, hashOfItem, type Item, keyOfPath } from './parts/items';
import { useItems } from './parts/use-items';
import {
  type Address,
  afterShown,
  closedRows,
  type InboxRow,
  keysOf,
  listedItems,
  selectionOf,
} from './rows';

export { inboxActions } from './actions';

/** The item in the address; a run may be named by its uid. */
function useAddressed(): Address {
  const { path } = useRoute();
  const [place, run = '', gate = ''] = path;
  const beside = keyOfPath(path);
  const isGate = place === 'gate';
  const byUid = isGate && !/^\d+$/.test(run);
  const found = useQuery('run.find', byUid ? { name: run } : null);
  if (beside !== null) return { named: true, key: beside, unknown: false };
  if (!byUid) return { named: isGate, key: isGate ? `${run}/${gate}` : null, unknown: false };
  const unknown = found.error?.code === 'not_found';
  return { named: true, key: found.value ? `${found.value.id}/${gate}` : null, unknown };
}

const NO_FILTER: Filter = { search: '', project: null };

export function InboxView() {
  const { path } = useRoute();
  const addressed = useAddressed();
  const { items, gates, others } = useItems();
  const closed = useReadable(closedGates);
  const [filter, setFilter] = useState(NO_FILTER);
  const [byRun, setByRun] = useSwitch('inbox.by-run', false);
  const now = useClock((time) => Math.floor(time / WAITED_MS) * WAITED_MS);
  const { rows: listed, keys, all } = listedItems(items, { ...filter, byRun }, now);
  const inHistory = path[1] === 'closed' && !addressed.named;
  const place = usePlace({ keys, all, addressed, inHistory });
  const { kept, next, stays, isClosed } = place;
  const isBeside = keyOfPath(path) !== null;
  const read = gates.status === 'ready' && (isBeside ? others.status : closed.status) === 'ready';
  const selection = selectionOf(addressed, { next, stays, kept, waiting: keys, all, isClosed, read });
  const selected = selection.what === 'gate' ? selection.key : null;
  const showClosed = inHistory || (addressed.named && isClosed && selected === addressed.key && !stays);
  const closedList = useMemo(() => closedRows(closed.value ?? []), [closed.value]);
  const rows = showClosed ? closedList : listed;
  const key = showClosed ? (addressed.key ?? keysOf(rows)[0] ?? null) : selected;
  // A gate answered by a rule is no news: it appears only in the list of closed gates.
  const last = closed.value?.find((gate) => ruleIdOf(gate.by) === null) ?? null;
  const item = itemAt(key, items) ?? itemAt(key, (closed.value ?? []).map(gateItem));
  const select = (row: InboxRow) => replaceRoute(hashOfItem(row.key));
  useListNav({ rows, selected: key, onSelect: select });
  useHandlers({
    'inbox.waiting': showClosed ? () => navigate(hashOf('inbox')) : null,
    'inbox.closed': showClosed ? null : () => navigate(hashOf('inbox', 'closed')),
    'inbox.byRun': showClosed ? null : () => setByRun(!byRun),
  });
  const reading = showClosed ? closed : gates;
  const list = (
    <ItemColumn
      reading={reading}
      showClosed={showClosed}
      items={items}
      rows={rows}
      filter={filter}
      byRun={byRun}
      selected={key}
      onFilter={setFilter}
      onSelect={select}
      empty={stays && keys.length === 0}
    />
  );
  const [run = null, gateId = ''] = addressed.named && !isBeside ? path.slice(1) : (kept?.split('/') ?? []);
  const detail = item ? (
    <ItemDetail key={key} item={item} last={last} />
  ) : selection.what === 'missing' ? (
    <MissingGate run={addressed.unknown || isBeside ? null : run} gate={gateId} beside={isBeside} />
  ) : showClosed ? (
    <Empty icon={Inbox} title="No closed gates yet">
      Questions that you answered appear here, with what followed.
    </Empty>
  ) : (
    selection.what === 'gate' && reading.status === 'ready' && <EmptyInbox last={last} />
  );
  const front = path[0] === 'gate' || isBeside ? 'detail' : 'list';
  return <Frame id="inbox" list={list} detail={detail} front={front} />;
}

const itemAt = (key: string | null, items: readonly Item[]): Item | undefined =>
  key === null ? undefined : items.find((item) => item.key === key);

interface PlaceParts {
  /** The listed items. */
  readonly keys: readonly string[];
  /** Everything that waits, including items that a search hides. */
  readonly all: ReadonlySet<string>;
  readonly addressed: Address;
  /** The closed gates are shown. */
  readonly inHistory: boolean;
}

/** The selected item, and what replaces it when it no longer waits. */
function usePlace({ keys, all, addressed, inHistory }: PlaceParts) {
  const closed = useReadable(closedGates);
  const before = useRef(keys);
  const kept = useRef<string | null>(null);
  const unnamed = !addressed.named && !inHistory;
  if (!unnamed) kept.current = null;
  else kept.current ??= keys[0] ?? null;
  const key = unnamed ? kept.current : addressed.key;
  const end = closed.value?.find((gate) => gateKey(gate) === key);
  const isClosed = end !== undefined;
  // A reply, failure or wait has no result to show: the next item replaces it.
  const isBeside = kept.current !== null && keyOfPath(['inbox', ...kept.current.split('/')]) !== null;
  const own = key !== null && (ownAnswers.has(key) || isBeside);
  const lately = useClock((now) => end?.closedAt != null && now - end.closedAt < DECIDED_ROW_MS);
  const shown = { key, before: before.current, waiting: keys, all, own, isClosed, lately };
  const { next, stays } = afterShown(shown);
  useEffect(() => {
    if (next !== undefined && !unnamed) replaceRoute(next === null ? hashOf('inbox') : hashOfItem(next));
    else if (!stays) {
      if (next !== undefined) kept.current = next;
      before.current = keys;
    }
  });
  return { kept: kept.current, next, stays, isClosed };
}
