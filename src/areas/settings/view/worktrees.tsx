import type { Leftover } from '@areas/changes/contract/procedures';
import type { ProcedureOutput } from '@contract/ipc';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { hashOf } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { copyText } from '@renderer/parts/controls/copy';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { Note } from '@renderer/ui/layout/note';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import styles from './worktrees.module.css';

const STATES: Record<Leftover['state'], string> = {
  applied: 'Applied',
  empty: 'Nothing changed',
  included: 'Work is also on another branch',
  unapplied: 'Not applied',
  unfinished: 'Never set up',
  unreadable: 'Cannot be read',
};

type Cleaned = ProcedureOutput<'workspace.clean'>;

/** Worktrees that ended runs left in the projects, and how to remove them. */
export function Worktrees() {
  const found = useQuery('workspace.leftovers', {});
  const [cleaned, setCleaned] = useState<Cleaned | null>(null);
  const [asking, setAsking] = useState(false);
  const rows = found.value?.leftovers ?? [];
  const unapplied = rows.filter((row) => row.state === 'unapplied').length;
  const staying = rows.filter((row) => row.state === 'unapplied' || row.state === 'unreadable').length;
  const clean = async (all: boolean) => {
    setAsking(false);
    const done = await attempt(call('workspace.clean', { unapplied: all }));
    if (done !== null) setCleaned(done);
    await refresh('workspace.leftovers');
  };
  return (
    <div className="fields" aria-busy={found.status === 'loading'}>
      <p className={`quiet ${styles.about}`}>
        Agents work in worktrees on branches of their run. Those of ended runs stay until you remove them.
        Each removed branch can be restored.
      </p>
      {found.error && <ErrorNote error={found.error} />}
      {found.status === 'ready' && rows.length === 0 && <Note>No worktrees of ended runs.</Note>}
      {rows.length > 0 && (
        <>
          <div className={styles.acts}>
            <Button icon={Eraser} disabled={staying === rows.length} onClick={() => void clean(false)}>
              Remove {plural(rows.length - staying, 'worktree')}
            </Button>
            {unapplied > 0 && <Button onClick={() => setAsking(true)}>Remove unapplied ones too</Button>}
          </div>
          <ul aria-label="Worktrees of ended runs" className={styles.leftovers}>
            {rows.map((row) => (
              <li key={row.path}>
                <a className="cut" href={hashOf('run', row.runId)}>
                  {row.runName}
                </a>
                <span className="cut">
                  {STATES[row.state]}
                  {row.state === 'unapplied' && ` (${plural(row.files, 'file')})`}
                </span>
                <span className="mono quiet cut" title={row.branch}>
                  {row.branch}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {cleaned && <CleanedNote cleaned={cleaned} />}
      {asking && (
        <Confirm
          title="Remove work that is not applied?"
          verb="Remove all"
          onConfirm={() => void clean(true)}
          onClose={() => setAsking(false)}
        >
          {plural(unapplied, 'worktree')} with work that is in no checkout would be removed. You get commands
          that restore the branches.
        </Confirm>
      )}
    </div>
  );
}

function CleanedNote({ cleaned: { worktrees, branches, notes } }: { cleaned: Cleaned }) {
  const commands = branches.map(({ restore }) => restore).join('\n');
  return (
    <Note
      tone="done"
      live="status"
      acts={
        commands !== '' && (
          <Button onClick={() => copyText(commands, 'Copied the commands')}>Copy restore commands</Button>
        )
      }
    >
      Removed {plural(worktrees.length, 'worktree')} and{' '}
      {branches.length === 1 ? '1 branch' : `${branches.length} branches`}.
      {notes.map((note) => (
        <span key={note}> {note}</span>
      ))}
    </Note>
  );
}
