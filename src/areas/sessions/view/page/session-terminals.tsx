import { TerminalPane } from '@areas/terminals/view/parts/terminal-pane';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Empty } from '@renderer/ui/layout/note';
import { SquareTerminal } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TerminalRow, Workplace } from '../../contract/procedures';
import pageStyles from './page.module.css';
import { terminalToShow } from './panes';
import styles from './session-terminals.module.css';

interface TerminalsProps {
  readonly runId: number;
  readonly place: Workplace | null;
  readonly terminals: readonly TerminalRow[];
}

/** The terminals of a session, one at a time: hidden ones cost nothing. */
export function SessionTerminals({ runId, place, terminals }: TerminalsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = useRef<string | null>(null);
  const row = terminalToShow(terminals, { chosen, shown: shown.current });
  shown.current = row?.name ?? null;
  if (!row) {
    return (
      <Empty icon={SquareTerminal} title="No terminal">
        This agent has not opened a terminal. Commands that it runs itself are in the transcript.
      </Empty>
    );
  }
  return (
    <div className={styles.sessionTerminals}>
      {terminals.length > 1 && (
        <div className={pageStyles.sessionTabs}>
          <Tabs
            label="Terminals of the session"
            value={row.name}
            tabs={terminals.map((one) => ({ id: one.name, label: one.title }))}
            onChange={setChosen}
          />
        </div>
      )}
      <TerminalPane key={`${runId}/${row.name}`} runId={runId} name={row.name} place={place} row={row} bare />
    </div>
  );
}
