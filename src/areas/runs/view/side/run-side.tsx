import { sessionStanding } from '@areas/sessions/contract/standing';
import type { RunRow } from '@contract/run/procedures';
import { profileName } from '@contract/run/profile-name';
import type { RunState, SessionState } from '@contract/run/state';
import { plural, shortId } from '@renderer/client/format';
import { useMoment, useRun, wholeRun } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { fullTime } from '@renderer/client/time';
import { attempt } from '@renderer/client/toasts';
import { copyText } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { sessionWords } from '@renderer/parts/words/status-words';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { Fold } from '@renderer/ui/layout/fold';
import styles from './run-side.module.css';

/** The facts of a run besides its history: its folder, its agents, and its limits. */
export function RunSide({ row }: { row: RunRow }) {
  const state = useRun(row.id, wholeRun, useMoment());
  if (state === null) return <aside className="pane side-pane" aria-label="About the run" />;
  const sessions = Object.values(state.sessions);
  return (
    <aside className="pane side-pane scroll" aria-label="About the run">
      <Section title="Run">
        <RunFacts row={row} state={state} />
      </Section>
      <Section title="Sessions" count={sessions.length}>
        {sessions.length === 0 && <p className="faint">No session was opened.</p>}
        {sessions.map((session) => (
          <Session key={session.id} name={profileName(state, session.profileId)} session={session} />
        ))}
      </Section>
    </aside>
  );
}

function RunFacts({ row, state }: { row: RunRow; state: RunState }) {
  const { workspace, definition } = state;
  const budget = definition.budget;
  return (
    <Facts
      facts={[
        { name: 'Started', value: fullTime(row.startedAt) },
        row.finishedAt !== null && { name: 'Ended', value: fullTime(row.finishedAt) },
        { name: 'Project', value: <Folder path={state.projectPath} /> },
        state.sourceFile !== null && { name: 'Workflow', value: state.sourceFile },
        { name: 'Works in', value: workspace ? <Folder path={workspace.path} /> : state.workspaceMode },
        workspace?.notes ? { name: 'Lacks', value: workspace.notes.join('\n') } : null,
        workspace?.branch
          ? { name: 'Branch', value: <span className="mono">{workspace.branch}</span> }
          : null,
        workspace?.baseCommit
          ? {
              name: 'Begun at',
              value: (
                <Copy
                  text={workspace.baseCommit}
                  shown={workspace.baseCommit.slice(0, 8)}
                  what="Copied the commit"
                />
              ),
            }
          : null,
        { name: 'Artifacts', value: <Folder path={state.artifactsDir} /> },
        { name: 'Parallel limit', value: plural(definition.max_parallel, 'step') },
        budget ? { name: 'Budget', value: budgetWords(budget) } : null,
        state.spend.untold > 0 && {
          name: 'Cost not reported',
          value: `by ${plural(state.spend.untold, 'turn')}`,
        },
        { name: 'Id', value: <Copy text={row.uid} shown={shortId(row.uid)} what="Copied the run’s id" /> },
      ]}
    />
  );
}

function budgetWords(budget: NonNullable<RunState['definition']['budget']>): string {
  const words = [
    budget.tokens && `${budget.tokens} tokens`,
    budget.cost_usd && `$${budget.cost_usd}`,
    budget.minutes && `${budget.minutes} min of work`,
  ].filter(Boolean);
  return words.join(', ');
}

function Session({ name, session }: { name: string; session: SessionState }) {
  const head = (
    <>
      <span className="cut grow">{name}</span>
      <Marked word={sessionWords[sessionStanding(session)]} />
    </>
  );
  return (
    <Fold head={head} className={styles.session}>
      <SessionFacts session={session} />
    </Fold>
  );
}

/** The facts of a session. */
export function SessionFacts({ session }: { session: SessionState }) {
  return (
    <>
      <Facts
        facts={[
          { name: 'Since', value: <Ago at={session.since} /> },
          session.reason !== null && { name: 'Why', value: session.reason },
          session.agent !== null && { name: 'Agent', value: session.agent },
          session.model !== null && { name: 'Model', value: session.model },
          session.mode !== null && { name: 'Mode', value: session.mode },
          { name: 'Turns', value: session.turnIds.length },
          session.cwd !== null && { name: 'Works in', value: <Folder path={session.cwd} /> },
          session.providerSessionId !== null && {
            name: 'Agent’s id',
            value: (
              <Copy
                text={session.providerSessionId}
                shown={session.providerSessionId.slice(0, 12)}
                what="Copied the id"
              />
            ),
          },
          session.failures > 0 && { name: 'Failed', value: `${session.failures} times in a row` },
        ]}
      />
      {session.error && <ErrorNote error={session.error} />}
    </>
  );
}

function Copy({ text, shown, what }: { text: string; shown: string; what: string }) {
  return (
    <button
      type="button"
      className="text-button mono"
      title={`Copy ${text}`}
      onClick={() => copyText(text, what)}
    >
      {shown}
    </button>
  );
}

function Folder({ path }: { path: string }) {
  return (
    <button
      type="button"
      className="text-button path"
      title={`Show ${path} in its folder`}
      onClick={() => void attempt(call('app.revealInFolder', { path }))}
    >
      {path}
    </button>
  );
}
