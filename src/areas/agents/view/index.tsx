import { useHandlers, useQuery, useRoute } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute, withQuery } from '@renderer/client/route';
import { refresh } from '@renderer/client/wire/query';
import { useDoctor } from '@renderer/parts/doctor/use-doctor';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { Button } from '@renderer/ui/controls/button';
import { Menu } from '@renderer/ui/controls/menu';
import { Empty } from '@renderer/ui/layout/note';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { AgentDetail } from './agent-detail';
import { AgentRowView } from './agent-row';
import styles from './agents.module.css';
import { type Kind, kindWords } from './fields';
import { type AgentListRow, agentRows } from './rows';

function hashOfRow(row: AgentListRow): string {
  if (row.heading) return hashOf('agents');
  if (row.kind === 'profile') return hashOf('agent', row.profile.profile.id);
  return row.kind === 'detected'
    ? hashOf('agents', 'detected', row.detected.id)
    : hashOf('agents', 'secrets');
}

function keyOfPath(path: readonly string[]): string | null {
  if (path[0] === 'agent') return `agent/${path[1]}`;
  if (path[1] === 'detected') return `detected/${path[2]}`;
  return path[1] === 'secrets' ? 'secrets' : null;
}

export const openNew = (kind: Kind) => () => navigate(hashOf('agents', 'new', kind));

export function AgentsView() {
  const { path, query } = useRoute();
  const profiles = useQuery('agent.list', {});
  const detected = useQuery('agent.detect', {});
  // An agent that is installed meanwhile appears.
  useDoctor();
  const rowsOf = (text: string) => agentRows(profiles.value ?? [], detected.value ?? [], text);
  const rows = rowsOf(query.q ?? '');
  const selectedKey = keyOfPath(path);
  const isNew = path[1] === 'new';
  const first = rows.find((row) => !row.heading)?.key ?? null;
  const selected = isNew ? null : (selectedKey ?? first);
  // The selected row stays, whatever the search.
  const row = rowsOf('').find((row) => row.key === selected);
  const select = (row: AgentListRow) => replaceRoute(withQuery(hashOfRow(row), { q: query.q ?? '' }));
  useHandlers({
    'agent.new.acp': openNew('acp'),
    'agent.new.cli': openNew('cli'),
    'agent.new.gateway': openNew('gateway'),
    'agent.new.scripted': openNew('scripted'),
    'agent.detect': () => void refresh('agent.detect'),
  });
  const list = {
    title: 'Agents',
    rows,
    selected,
    draw: (row: AgentListRow) => <AgentRowView row={row} />,
    onSelect: select,
    head: (
      <>
        <ListSearch of="agents" />
        <NewProfile />
      </>
    ),
    above: detected.status === 'loading' && (
      <p className={`quiet note ${styles.looking}`} role="status">
        Looking for installed agents
      </p>
    ),
    error: profiles.error,
  };
  const detail =
    row || isNew ? (
      <AgentDetail row={row ?? null} profiles={profiles.value ?? []} />
    ) : (
      profiles.status === 'ready' && (
        <Empty
          icon={Bot}
          title="There is no such profile"
          acts={<Button onClick={() => navigate(hashOf('agents'))}>Show all</Button>}
        />
      )
    );
  return (
    <ListView
      id="agents"
      {...list}
      detail={detail}
      front={selectedKey !== null || isNew ? 'detail' : 'list'}
    />
  );
}

const KINDS: readonly Kind[] = ['acp', 'cli', 'gateway', 'scripted'];

function NewProfile() {
  const [open, setOpen] = useState(false);
  return (
    <span className="menu-anchor">
      <Button icon={Plus} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(true)}>
        New profile
      </Button>
      {open && (
        <Menu
          label="Kind of profile"
          items={KINDS.map((kind) => ({ id: kind, label: kindWords[kind], run: openNew(kind) }))}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}
