import { call } from '@renderer/client/rpc';
import { clockTime, fullTime } from '@renderer/client/time';
import { attempt } from '@renderer/client/toasts';
import { Button } from '@renderer/ui/controls/button';
import { Note } from '@renderer/ui/layout/note';
import { Eye } from 'lucide-react';
import type { WatchSeen } from '../../contract/events';
import type { LoopRow } from '../../contract/summary';
import styles from './runner-note.module.css';

type Runner = WatchSeen['processes'][number];

/** The observed runner of a watched loop; if several match, the operator chooses. */
export function RunnerNote({ row, seen }: { readonly row: LoopRow; readonly seen: WatchSeen }) {
  const { how, processes } = seen;
  const [first] = processes;
  if (how === 'several')
    return (
      <Note
        tone="waits"
        acts={
          row.live && (
            <div className={styles.runnerActs}>
              {processes.map(({ pid }) => (
                <Button key={pid} icon={Eye} onClick={() => void name(row, pid)}>
                  It is process {pid}
                </Button>
              ))}
            </div>
          )
        }
      >
        Several processes may run it. Watch it again with the id of one of them:
        <ul className={styles.runnerList}>
          {processes.map((one) => (
            <li key={one.pid}>
              <Process of={one} />
            </li>
          ))}
        </ul>
      </Note>
    );
  if (first !== undefined)
    return (
      <Note>
        Run by <Process of={first} />
        {first.iterations === null
          ? '. Its command line does not name its iterations.'
          : `. Its command line names ${first.iterations} iterations.`}
      </Note>
    );
  return (
    <Note>
      {how === 'none'
        ? 'No running ralph.sh was found here. Muster watches the files, but cannot see when it ends.'
        : 'This system does not show which process runs it, so Muster cannot see when it ends.'}
    </Note>
  );
}

function Process({ of: { pid, script, startedAt } }: { of: Runner }) {
  return (
    <>
      process {pid} (<span className="mono">{script}</span>)
      {startedAt !== null && (
        <>
          , since <time title={fullTime(startedAt)}>{clockTime(startedAt)}</time>
        </>
      )}
    </>
  );
}

async function name({ runId, activationId }: LoopRow, pid: number): Promise<void> {
  await attempt(call('loop.nameRunner', { runId, activationId, pid }));
}
