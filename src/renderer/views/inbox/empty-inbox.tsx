import type { GateRow } from '@contract/gate/procedures';
import { Inbox } from 'lucide-react';
import { useMemo } from 'react';
import { useQuery, useReadable } from '../../client/hooks';
import { runList } from '../../client/lists';
import { hashOf } from '../../client/route';
import { Ago } from '../../parts/ago';
import { Marked } from '../../parts/marks';
import { runWordOf, runWords } from '../../parts/words';
import { Empty } from '../../ui/note';
import styles from './empty-inbox.module.css';
import { JustDecided } from './just-decided';

const MOST = 6;

/** None where the team has come to rest. */
function awaiting(members: number): string {
  if (members === 0) return 'No one is working';
  return members === 1 ? '1 member awaits you' : `${members} members await you`;
}

/** No gate is open: since when, whose members wait for a word all the same, and what runs meanwhile. */
export function EmptyInbox({ last }: { last: GateRow | null }) {
  const list = useMemo(() => runList({ binned: false, status: 'running' }).view, []);
  const { rows: runs, status } = useReadable(list);
  const teams = (useQuery('team.list', {}).value?.rows ?? []).filter(
    ({ live, waiting, rests }) => live && (waiting > 0 || rests),
  );
  const rows = runs.filter(({ id }) => !teams.some(({ runId }) => runId === id));
  return (
    <div className="pane">
      <JustDecided gate={last} />
      <Empty icon={Inbox} title={teams.length > 0 ? 'No gate is open' : 'Nothing waits for you'}>
        {last?.closedAt != null && (
          <p>
            Last gate closed: <Ago at={last.closedAt} />.
          </p>
        )}
        {teams.length > 0 && (
          <ul className={styles.emptyRuns} aria-label="Teams that await you">
            {teams.map(({ runId, activationId, title, waiting }) => (
              <li key={`${runId}/${activationId}`}>
                <Marked word={runWords.waiting} markOnly />
                <a href={hashOf('team', runId, activationId)}>{title}</a>
                <span className="quiet cut">{awaiting(waiting)}</span>
              </li>
            ))}
          </ul>
        )}
        {status === 'ready' && runs.length === 0 && (
          <p>
            Nothing runs. Questions that only you may answer come here.{' '}
            <a href={hashOf('workflows')}>Run a workflow</a>
          </p>
        )}
        {rows.length > 0 && (
          <ul className={styles.emptyRuns} aria-label="Runs at work">
            {rows.slice(0, MOST).map((run) => (
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
