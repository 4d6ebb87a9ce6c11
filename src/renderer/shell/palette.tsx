import type { SearchHit } from '@contract/update/procedures';
import { Command } from 'cmdk';
import { FileSearch, GitFork, Link, ListTree, Zap } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useQuery, useReadable } from '../client/hooks';
import { runList } from '../client/lists';
import { hashOf, hashOfAddress, navigate } from '../client/route';
import { registry } from '../client/window';
import { Ago } from '../parts/ago';
import { Marked } from '../parts/marks';
import { runWordOf } from '../parts/words';
import { closeFirst, Dialog } from '../ui/dialog';
import { Glyph, type Icon } from '../ui/icon';
import { Keys } from '../ui/keys';
import styles from './palette.module.css';

const SEARCH_FROM = 3;

/** Everything that can be done here, and every place there is, by name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  // Taken when it was opened: the palette itself has the focus now.
  const [actions] = useState(() => registry.available().filter((action) => action.quiet !== true));
  const go = (hash: string) => {
    onClose();
    navigate(hash);
  };
  const address = hashOfAddress(text);
  return (
    <Dialog label="Command palette" className={styles.palette} onClose={onClose}>
      <Command label="Command palette" loop>
        <Command.Input autoFocus value={text} onValueChange={setText} placeholder="What do you want to do?" />
        <Command.List>
          <Command.Empty>
            Nothing by that name. Paste a muster:// address, or search for other words.
          </Command.Empty>
          {address && (
            <Entry icon={Link} value={text} onSelect={() => go(address)}>
              Go to {text.trim()}
            </Entry>
          )}
          <Command.Group heading="Here">
            {actions.map((action) => (
              <Entry
                key={action.id}
                icon={Zap}
                value={`${action.title} ${action.group}`}
                end={<Keys caps={registry.capsOf(action.id)} />}
                onSelect={() => {
                  closeFirst(onClose);
                  action.run();
                }}
              >
                {action.title}
              </Entry>
            ))}
          </Command.Group>
          <Runs go={go} />
          <Workflows go={go} />
          <Found text={text} go={go} />
        </Command.List>
      </Command>
    </Dialog>
  );
}

function Runs({ go }: { go: (hash: string) => void }) {
  const list = useMemo(() => runList({ binned: false }).view, []);
  const { rows } = useReadable(list);
  return (
    <Command.Group heading="Runs">
      {rows.slice(0, 50).map((run) => (
        <Entry
          key={run.id}
          icon={ListTree}
          value={`run ${run.name} ${run.projectName} ${run.uid} ${run.id}`}
          end={<Ago at={run.startedAt} />}
          onSelect={() => go(hashOf('run', run.uid))}
        >
          {run.name} <Marked word={runWordOf(run)} markOnly />
        </Entry>
      ))}
    </Command.Group>
  );
}

function Workflows({ go }: { go: (hash: string) => void }) {
  const { value } = useQuery('workflow.list', {});
  return (
    <Command.Group heading="Workflows">
      {(value ?? []).map((row) => (
        <Entry
          key={`${row.projectId}/${row.file}`}
          icon={GitFork}
          value={`workflow ${row.name} ${row.projectName} ${row.file}`}
          end={row.projectName}
          onSelect={() => go(hashOf('workflow', row.projectId, row.file))}
        >
          {row.name}
        </Entry>
      ))}
    </Command.Group>
  );
}

/** Words in prompts, answers and updates. */
function Found({ text, go }: { text: string; go: (hash: string) => void }) {
  const words = useDeferredValue(text.trim());
  if (words.length < SEARCH_FROM || hashOfAddress(words)) return null;
  return <Hits words={words} go={go} />;
}

function Hits({ words, go }: { words: string; go: (hash: string) => void }) {
  const { value } = useQuery('search.query', { text: words, limit: 8 });
  if (!value || value.hits.length === 0) return null;
  return (
    <Command.Group heading="Prompts, answers and updates" forceMount>
      {value.hits.map((hit) => (
        <Entry
          key={hit.eventId}
          icon={FileSearch}
          value={`hit ${hit.eventId}`}
          end={<Ago at={hit.at} />}
          forced
          onSelect={() => go(placeOf(hit))}
        >
          {hit.excerpt} <span className="faint">{hit.runName}</span>
        </Entry>
      ))}
    </Command.Group>
  );
}

const placeOf = (hit: SearchHit): string =>
  hit.turnId === null ? hashOf('run', hit.runId) : hashOf('run', hit.runId, 'turn', hit.turnId);

interface EntryProps {
  readonly icon: Icon;
  readonly value: string;
  readonly end?: ReactNode;
  readonly forced?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Entry({ icon, value, end, forced = false, onSelect, children }: EntryProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} forceMount={forced}>
      <Glyph of={icon} size={15} />
      <span className="cut grow">{children}</span>
      <span className="faint note">{end}</span>
    </Command.Item>
  );
}
