import { Changes } from '@areas/changes/view/parts/changes';
import { TerminalPane } from '@areas/terminals/view/parts/terminal-pane';
import type { RunRow } from '@contract/run/procedures';
import type { RunState } from '@contract/run/state';
import { turnTitle } from '@contract/run/turn/turn-title';
import { useHandlers, useMoment, useQuery, useRoute, useRun, wholeRun } from '@renderer/client/hooks';
import { hashOf, setQuery } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/controls/act';
import { Attached } from '@renderer/parts/controls/attached';
import { copyText } from '@renderer/parts/controls/copy';
import { Printed } from '@renderer/ui/code/code';
import { Button } from '@renderer/ui/controls/button';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Empty } from '@renderer/ui/layout/note';
import { FileDiff, SquareTerminal, X } from 'lucide-react';
import { SessionFacts } from './run-side';
import { type SelectedWork, selectedWork } from './selected-work';
import styles from './work-side.module.css';

const PANES = ['diff', 'terminal', 'session', 'prompt'] as const;
type WorkPane = (typeof PANES)[number];

const TITLES: Readonly<Record<WorkPane, string>> = {
  diff: 'Diff',
  terminal: 'Terminal',
  session: 'Session',
  prompt: 'Prompt',
};

/** What the address shows beside the timeline; null if it shows nothing of the selected work. */
export const workPaneOf = (side: string | undefined): WorkPane | null =>
  PANES.find((pane) => pane === side) ?? null;

export const closeWorkPane = (): void => setQuery({ side: '' });

/** A key shows its part of the selected turn; the same key again closes it. */
export function useWorkKeys(): void {
  const { query } = useRoute();
  const toggle = (pane: WorkPane) => () => setQuery({ side: query.side === pane ? '' : pane });
  useHandlers({
    'turn.diff': toggle('diff'),
    'turn.terminal': toggle('terminal'),
    'turn.session': toggle('session'),
    'turn.prompt': toggle('prompt'),
    'turn.closeSide': workPaneOf(query.side) === null ? null : closeWorkPane,
  });
}

/** The diff, the terminal, the session or the prompt of the turn that is selected in the timeline. */
export function WorkSide({ row, pane }: { readonly row: RunRow; readonly pane: WorkPane }) {
  const state = useRun(row.id, wholeRun, useMoment());
  const [, , kind = '', id = ''] = useRoute().path;
  const work = state === null ? null : selectedWork(state, kind, id);
  return (
    <aside className="pane" aria-label="The selected turn">
      <header className="pane-head">
        <Tabs
          label="What is shown of the selected turn"
          value={pane}
          tabs={PANES.map((one) => ({ id: one, label: TITLES[one] }))}
          onChange={(side) => setQuery({ side })}
        />
        <span className="grow" />
        <ActIcon action="turn.closeSide" icon={X} label="Close" />
      </header>
      {state !== null && work === null && <p className={`quiet ${styles.body}`}>Nothing has begun yet.</p>}
      {state !== null && work !== null && (
        <>
          <h2 className={`cut ${styles.title}`}>{titleOf(work)}</h2>
          <Pane key={`${pane} ${keyOf(work)}`} row={row} state={state} work={work} pane={pane} />
        </>
      )}
    </aside>
  );
}

const keyOf = (work: SelectedWork): string =>
  work.kind === 'turn' ? `turn ${work.turn.id}` : `command ${work.command.id}`;

const titleOf = (work: SelectedWork): string => (work.kind === 'turn' ? turnTitle(work.turn) : 'Command');

interface PaneProps {
  readonly row: RunRow;
  readonly state: RunState;
  readonly work: SelectedWork;
  readonly pane: WorkPane;
}

function Pane({ pane, ...props }: PaneProps) {
  if (pane === 'terminal') return <Terminal {...props} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by key
    <section className={`scroll ${styles.body}`} aria-label={TITLES[pane]} tabIndex={0}>
      <Text {...props} pane={pane} />
    </section>
  );
}

function Text({ row, state, work, pane }: PaneProps) {
  if (work.kind === 'command') {
    if (pane === 'prompt') return <Printed text={work.command.script} label="Command" />;
    return (
      <p className="quiet">
        {pane === 'diff' ? 'What a command changes is not compared.' : 'A command has no session.'}
      </p>
    );
  }
  const { turn } = work;
  if (pane === 'diff') {
    if (turn.changes?.files === 0)
      return (
        <Empty icon={FileDiff} title="No files changed">
          This turn left every file as it was.
        </Empty>
      );
    return <Changes runId={row.id} of={{ kind: 'turn', turnId: turn.id }} />;
  }
  const session = state.sessions[turn.sessionId];
  if (pane === 'session')
    return (
      <>
        {session !== undefined && <SessionFacts session={session} />}
        <p>
          <a href={hashOf('session', row.id, turn.sessionId, 'turn', turn.id)}>Open the session</a>
        </p>
      </>
    );
  return (
    <>
      <Printed text={turn.prompt} label="Prompt as it was sent" />
      <Attached paths={turn.attachments.map(({ path }) => path)} />
      <p>
        <Button onClick={() => copyText(turn.prompt, 'Copied the prompt')}>Copy prompt</Button>
      </p>
    </>
  );
}

/** The terminal of a command, or of the agent in this turn. */
function Terminal({ row, work }: Omit<PaneProps, 'pane'>) {
  const places = useQuery('session.list', {}).value;
  const place = places?.find(({ runId }) => runId === row.id) ?? null;
  const terminals = place?.terminals ?? [];
  const found =
    work.kind === 'command'
      ? terminals.find(({ name }) => name === `c${work.command.id}`)
      : terminals.findLast(({ sessionId }) => sessionId === work.turn.sessionId);
  if (places === null) return null;
  if (found === undefined)
    return (
      <Empty icon={SquareTerminal} title="No terminal">
        This turn used no terminal of Muster. What the agent ran by itself stands in the timeline.
      </Empty>
    );
  return <TerminalPane key={found.name} runId={row.id} name={found.name} place={place} row={found} bare />;
}
