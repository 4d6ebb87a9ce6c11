import {
  type ChangeComments,
  type LineComment,
  putComment,
  readComments,
} from '@areas/changes/view/parts/comments';
import { profileName } from '@contract/run/profile-name';
import type { RunState, SessionState } from '@contract/run/state';
import {
  useDraft,
  useHandlers,
  useRoute,
  useRun,
  useRunStatus,
  useSwitch,
  useWidth,
  wholeRun,
} from '@renderer/client/hooks';
import { formatRoute, hashOf, navigate, replaceRoute } from '@renderer/client/route';
import { ActIcon } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Empty } from '@renderer/ui/layout/note';
import { Split } from '@renderer/ui/layout/split';
import { Columns2, MessageSquareDashed } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Workplace } from '../../contract/procedures';
import { ChangesPane } from '../changes/changes-pane';
import pageStyles from './page.module.css';
import { isPane, type PaneId, SPLIT_PX, shownPanes } from './panes';
import { PromptBox } from './prompt-box';
import { SessionHead } from './session-head';
import styles from './session-page.module.css';
import { SessionTerminals } from './session-terminals';
import { SessionTranscript } from './session-transcript';
import { usePane } from './use-pane';

interface SessionPageProps {
  readonly runId: number;
  readonly sessionId: number;
  /** The run's row in the list, if the list reaches back to it: for its terminals. */
  readonly place: Workplace | null;
}

/** One session: its transcript, its changes, its terminals, and the operator's next prompt. */
export function SessionPage({ runId, sessionId, place }: SessionPageProps) {
  const state = useRun(runId, wholeRun);
  const { error, status } = useRunStatus(runId);
  const session = state?.sessions[sessionId];
  return (
    <article
      className={`pane ${styles.sessionPage}`}
      data-part="session-page"
      aria-label={`Session of ${state && session ? profileName(state, session.profileId) : sessionId}`}
    >
      {error && error.code !== 'not_found' && <ErrorNote error={error} />}
      {(error?.code === 'not_found' || (status === 'ready' && !session)) && (
        <Empty
          icon={MessageSquareDashed}
          title="There is no such session"
          acts={<Button onClick={() => navigate(hashOf('sessions'))}>Show all sessions</Button>}
        >
          Its run was deleted, or the address is not complete.
        </Empty>
      )}
      {state && session && <Body runId={runId} state={state} session={session} place={place} />}
    </article>
  );
}

interface BodyProps {
  readonly runId: number;
  readonly state: RunState;
  readonly session: SessionState;
  readonly place: Workplace | null;
}

function Body({ runId, state, session, place }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const width = useElementWidth(body);
  const [pane, choose] = usePane();
  const [split, setSplit] = useSwitch('session.split', true);
  const [share, setShare] = useWidth('session.split.share', 46);
  const [comments, setComments] = useComments(runId, session.id);
  const [scope, setScope] = useScope(runId, session.id);
  const terminals = (place?.terminals ?? []).filter((one) => one.sessionId === session.id);
  const shown = shownPanes({ pane, split, width });
  const goTo = (pane: PaneId) => {
    choose(pane);
    requestAnimationFrame(() => focusPane(pane));
  };
  useHandlers({
    'session.transcript': () => goTo('transcript'),
    'session.changes': () => goTo('changes'),
    'session.terminals': () => goTo('terminals'),
    'session.split': () => setSplit(!split),
  });
  const draw = (id: PaneId) => {
    if (id === 'transcript') {
      const terminal = terminals.length > 0;
      return <SessionTranscript runId={runId} state={state} session={session} terminal={terminal} />;
    }
    if (id === 'terminals') return <SessionTerminals place={place} runId={runId} terminals={terminals} />;
    const comment = (comment: LineComment) => setComments((now) => putComment(now, comment));
    const changes = { runId, state, session, scope, comments };
    return <ChangesPane {...changes} onScope={setScope} onComment={comment} />;
  };
  const [first, second] = shown;
  return (
    <>
      <SessionHead runId={runId} state={state} session={session} />
      <div className={pageStyles.sessionTabs}>
        <Tabs
          label="View of the session"
          value={pane}
          tabs={[
            { id: 'transcript', label: 'Transcript' },
            { id: 'changes', label: 'Changes' },
            { id: 'terminals', label: 'Terminals', count: terminals.length },
          ]}
          onChange={(id) => isPane(id) && goTo(id)}
        />
        <span className="grow" />
        {width >= SPLIT_PX && (
          <ActIcon action="session.split" icon={Columns2} label="Toggle split view" active={split} />
        )}
      </div>
      <div className={styles.sessionBody} ref={body}>
        {first && second ? (
          <Split
            id="session.split"
            label="Width of the transcript"
            share={share}
            onResize={setShare}
            first={draw(first)}
            second={draw(second)}
          />
        ) : (
          first && draw(first)
        )}
      </div>
      <PromptBox
        runId={runId}
        state={state}
        session={session}
        comments={comments}
        setComments={setComments}
      />
    </>
  );
}

/**
 * Moves the focus, so that j and k apply to the shown pane. A terminal would take all keys: the operator
 * enters it explicitly.
 */
function focusPane(pane: PaneId): void {
  const places = {
    transcript: '[data-part="session-transcript"] [data-part="stack"]',
    changes: '[data-part="changes"]',
    terminals: null,
  };
  const place = places[pane];
  if (place !== null) document.querySelector<HTMLElement>(place)?.focus();
}

/** The comments for the next prompt; saved like any draft. */
function useComments(runId: number, sessionId: number): [LineComment[], ChangeComments] {
  const [text, setText] = useDraft(`session/${runId}/${sessionId}/comments`);
  const change: ChangeComments = (to) =>
    setText((now) => {
      const comments = to(readComments(now));
      return comments.length === 0 ? '' : JSON.stringify(comments);
    });
  return [readComments(text), change];
}

/** The scope of the changes is in the address: `session/1/2/turn/3`, or `?of=workspace`. */
function useScope(runId: number, sessionId: number): [string, (scope: string) => void] {
  const { path, query } = useRoute();
  const [, , , kind, id] = path;
  const turnScope = kind === 'turn' && id !== undefined ? `turn/${id}` : null;
  const baseScope = query.of === 'workspace' ? 'workspace' : 'session';
  const set = (scope: string) => {
    const turn = /^turn\/(\d+)$/.exec(scope)?.[1];
    const at = ['session', String(runId), String(sessionId)];
    const whole = scope === 'workspace' ? 'workspace' : '';
    replaceRoute(
      turn === undefined
        ? formatRoute({ path: at, query: { ...query, of: whole } })
        : formatRoute({ path: [...at, 'turn', turn], query: { ...query, of: '' } }),
    );
  };
  return [turnScope ?? baseScope, set];
}

function useElementWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1000);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
