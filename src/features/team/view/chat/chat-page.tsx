import { Trail } from '@areas/runs/view/parts/cards/trail';
import { Replay, useShownRun } from '@areas/runs/view/parts/scrubber/shown-run';
import { useDraft, useHandlers, useRunStatus } from '@renderer/client/hooks';
import { hashOf, replaceRoute } from '@renderer/client/route';
import { atMoment } from '@renderer/client/runs/moment';
import { copyAddress } from '@renderer/parts/controls/copy';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { PastOf, usePast } from '@renderer/parts/text/shown-time';
import { Note } from '@renderer/ui/layout/note';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { useEffect, useMemo, useRef } from 'react';
import { LEAD } from '../../contract/events';
import type { MemberRow, TeamRow } from '../../contract/summary';
import { memberRows, teamIsLive } from '../../contract/summary';
import { type MemberActs, type MemberActsOf, memberActs } from '../acts';
import { addressedTo } from '../composer/addressee';
import { Composer } from '../composer/composer';
import { isMember, pathOf, type ThreadPlace, threadOf } from '../place';
import { ChatHead } from './chat-head';
import styles from './chat-page.module.css';
import { ChatRowView } from './chat-row';
import { type ChatRow, chatRows, keyedGate } from './rows';
import { type ChatProps, teamOf } from './team-of';
import { useEarlierMessages } from './use-earlier-messages';

interface ChatPageProps {
  readonly at: ThreadPlace;
  /** The team's list row; null if the list does not reach back to it. */
  readonly row: TeamRow | null;
}

/** One thread of a team, and the composer. */
export function ChatPage({ at, row }: ChatPageProps) {
  const { state, moment, past } = useShownRun(at.runId);
  const { error, status } = useRunStatus(at.runId, moment);
  const team = teamOf(state, at);
  const gone = status === 'ready' && team === null;
  return (
    <article className={`pane ${styles.teamPage}`} aria-label={`Team ${row?.title ?? ''}`}>
      <Replay runId={at.runId} />
      {error && <ErrorNote error={error} />}
      {gone && state?.status === 'running' && <Note>The team is being set up.</Note>}
      {gone && state?.status === 'finished' && (
        <Note tone="failed">This run has no team{state.reason ? `: ${state.reason}` : '.'}</Note>
      )}
      <PastOf value={past}>
        {state && team && <Chat at={{ ...at, activationId: team.activationId }} state={state} team={team} />}
      </PastOf>
    </article>
  );
}

function Chat({ at, state, team }: ChatProps) {
  const { runId, activationId } = at;
  const handle = useRef<StackHandle>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const thread = threadOf(at.thread);
  const older = useEarlierMessages(runId, team, thread);
  const members = memberRows(state, team);
  const rows = chatRows({ state, team, thread, older: older.messages, more: older.more });
  const draft = useDraft(`team/${runId}/${activationId}/${at.thread}`);
  const current = at.messageId === null ? null : `m${at.messageId}`;
  useNamed(current, { rows, older, handle });
  const ask = (name: string) => {
    if (thread !== name) draft[1](addressedTo(draft[0], name));
    requestAnimationFrame(() => area.current?.focus());
  };
  const earlier = () => void readEarlier({ rows, older, handle });
  const now = usePast() === null;
  const live = now && teamIsLive(state, activationId);
  const means = memberMeant(at, { rows, current, members });
  const acts = useActs({ runId, activationId, live, ask });
  useHandlers({
    'team.copy': () => copyAddress(...pathOf(at)),
    'team.earlier': older.more ? earlier : null,
    ...(means && acts.handlers(means)),
  });
  const keyed = keyedGate(rows);
  return (
    <>
      <ChatHead at={at} state={state} team={team} members={members} />
      <Trail
        label={threadLabel(at.thread)}
        part="team-chat"
        className={styles.teamChat}
        rows={rows}
        current={current}
        handle={handle}
        live
        keys={['message.next', 'message.previous']}
        isStop={(row) => row.kind === 'message' || row.kind === 'result'}
        onGo={goTo(at, handle)}
        draw={(row) => (
          <ChatRowView
            row={row}
            at={at}
            state={state}
            keyed={keyed}
            acts={acts}
            means={means?.name ?? null}
            onEarlier={earlier}
          />
        )}
      />
      {now && (
        <Composer
          at={at}
          state={state}
          team={team}
          members={members}
          draft={draft}
          area={area}
          onSent={() => handle.current?.follow()}
        />
      )}
    </>
  );
}

/** Puts the row's message into the address. */
const goTo =
  (at: ChatProps['at'], handle: NamedIn['handle']) =>
  ({ key }: ChatRow): void => {
    replaceRoute(atMoment(hashOf(...pathOf({ ...at, messageId: Number(key.slice(1)) }))));
    handle.current?.reveal(key);
  };

interface NamedIn {
  readonly rows: readonly ChatRow[];
  readonly older: ReturnType<typeof useEarlierMessages>;
  readonly handle: React.RefObject<StackHandle | null>;
}

/** Keeps the scroll position when earlier messages are added on top. */
async function readEarlier({ rows, older, handle }: NamedIn): Promise<void> {
  const stay = stayAt(rows, handle.current?.top() ?? null);
  await older.read();
  if (stay) requestAnimationFrame(() => handle.current?.reveal(stay));
}

/** Scrolls to the message in the address, reading earlier pages first if needed. */
function useNamed(current: string | null, { rows, older, handle }: NamedIn): void {
  const shown = useRef<string | null>(null);
  const there = rows.some(({ key }) => key === current);
  const first = rows.find(({ kind }) => kind === 'message' || kind === 'result')?.key ?? null;
  const read = useRef(older.read);
  read.current = older.read;
  const isNews = current !== null && current !== shown.current;
  const isBefore = first === null || Number(current?.slice(1)) < Number(first.slice(1));
  const further = isNews && !there && older.more && isBefore;
  // biome-ignore lint/correctness/useExhaustiveDependencies: page by page, until it is found
  useEffect(() => {
    if (further) void read.current();
  }, [further, first]);
  useEffect(() => {
    if (current !== null && !there) return;
    if (current !== null && current !== shown.current) handle.current?.reveal(current);
    shown.current = current;
  }, [current, there, handle]);
}

/** Stable while the location is the same: otherwise every card would be redrawn. */
function useActs({ runId, activationId, live, ask }: MemberActsOf): MemberActs {
  const asks = useRef(ask);
  asks.current = ask;
  return useMemo(
    () => memberActs({ runId, activationId, live, ask: (name) => asks.current(name) }),
    [runId, activationId, live],
  );
}

/** Above the first message there is only the button for earlier ones: the position stays at that message. */
const stayAt = (rows: readonly ChatRow[], top: string | null): string | undefined =>
  top === null || top === 'earlier' ? rows[1]?.key : top;

const threadLabel = (thread: string): string =>
  thread === 'all' ? 'Everything' : thread === LEAD ? 'Lead' : `Thread of ${thread}`;

/** The member that keys apply to: the thread's, else the selected message's. */
function memberMeant(
  at: ThreadPlace,
  {
    rows,
    current,
    members,
  }: { rows: readonly ChatRow[]; current: string | null; members: readonly MemberRow[] },
): MemberRow | null {
  const chosen = rows.find((row) => row.key === current);
  const from = chosen?.kind === 'result' || chosen?.kind === 'message' ? chosen.message.from : null;
  const name = isMember(at.thread) ? at.thread : from;
  return members.find((member) => member.name === name) ?? null;
}
