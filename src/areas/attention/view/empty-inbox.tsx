import type { GateRow } from '@areas/gates/contract/procedures';
import { useReadable } from '@renderer/client/hooks';
import { runList } from '@renderer/client/lists/lists';
import { hashOf } from '@renderer/client/route';
import { decisions } from '@renderer/client/sending/decisions';
import { RunWorkflow } from '@renderer/parts/controls/run-workflow';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { runWordOf } from '@renderer/parts/words/status-words';
import { Empty } from '@renderer/ui/layout/note';
import { Inbox } from 'lucide-react';
import { useMemo } from 'react';
import styles from './empty-inbox.module.css';
import { LastDecision } from './last-decision';

const MOST_DECIDED = 6;

/** Nothing needs the operator: since when, and what runs meanwhile. */
export function EmptyInbox({ last }: { last: GateRow | null }) {
  const list = useMemo(() => runList({ binned: false, status: 'running' }).view, []);
  const { rows: runs, status } = useReadable(list);
  // A decision that can still be undone lets something run.
  const held = useReadable(decisions.held);
  const idle = status === 'ready' && runs.length === 0 && held.length === 0;
  return (
    <div className="pane">
      <LastDecision gate={last} />
      <Empty icon={Inbox} title="Nothing waits for you" acts={idle && <RunWorkflow />}>
        {last?.closedAt != null && (
          <p>
            Last gate closed: <Ago at={last.closedAt} />.
          </p>
        )}
        {idle && <p>Nothing runs. Questions for you appear here.</p>}
        {runs.length > 0 && (
          <ul className={styles.emptyRuns} aria-label="Runs at work">
            {runs.slice(0, MOST_DECIDED).map((run) => (
              <li key={run.id}>
                <Marked word={runWordOf(run)} markOnly />
                <a href={hashOf('run', run.uid)}>{run.name}</a>
                <span className="quiet cut">{run.now}</span>
              </li>
            ))}
          </ul>
        )}
      </Empty>
    </div>
  );
}
