import { PullButton } from '@areas/forges/view/parts/pull-button';
import { canApply, useApplying } from '@areas/runs/view/parts/apply/use-applying';
import { laneRole } from '@contract/run/lane/lane-role';
import { profileName } from '@contract/run/profile-name';
import { shownResults } from '@contract/run/results/shown-results';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState, SessionState } from '@contract/run/state';
import { plural, spend } from '@renderer/client/format';
import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { clockTime, fullTime } from '@renderer/client/time';
import { attempt } from '@renderer/client/toasts';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress, copyText } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote, openInEditor } from '@renderer/parts/problems/error-note';
import { Elapsed } from '@renderer/parts/text/ago';
import {
  observedWords,
  sessionWords,
  stepWords,
  turnWords,
  type Word,
} from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { Note } from '@renderer/ui/layout/note';
import { CircleParking, CircleStop, ExternalLink, GitBranch, GitMerge, Link, ListTree } from 'lucide-react';
import { observedNow } from '../../contract/reduce';
import { sessionStanding } from '../../contract/standing';
import { sessionTitle } from '../rows';
import sessionsStyles from '../sessions.module.css';
import styles from './session-head.module.css';
import { queuedPrompts, spentBy, turnInFlight, workplaceOf } from './turns';

interface HeadProps {
  readonly runId: number;
  readonly state: RunState;
  readonly session: SessionState;
}

/** A session's name, state and actions. */
export function SessionHead({ runId, state, session }: HeadProps) {
  const turn = turnInFlight(state, session);
  const { branch, path } = workplaceOf(state, session);
  const idle = session.status === 'ready' && turn === null && queuedPrompts(state, session.id).length === 0;
  const one = { runId, sessionId: session.id };
  const { role } = workOf(state, session);
  const { profileId } = session;
  const { dialog } = useApplying(runId, state);
  const toApply = state.status === 'finished' && !state.binned && shownResults(state).some(canApply);
  useHandlers({
    'session.cancelTurn':
      turn && turn.cancelledBy === null ? () => void attempt(call('session.cancelTurn', one)) : null,
    'session.park': idle ? () => void attempt(call('session.park', one), 'Parked') : null,
    'session.editor': path === null ? null : () => openInEditor(path),
    'session.branch': branch === null ? null : () => copyText(branch, `Copied ${branch}`),
    'session.run': () => navigate(hashOf('run', state.uid)),
    'session.copy': () => copyAddress('session', runId, session.id),
    'app.copyAddress': () => copyAddress('session', runId, session.id),
  });
  return (
    <header className="detail-head">
      <div className="detail-line">
        <h1 className="cut reads">
          {sessionTitle({ role, profileId, profileName: profileName(state, profileId) })}
        </h1>
        <Marked word={wordOf(state, session)} chip />
        <span className="grow" />
        {turn && (
          <ActButton action="session.cancelTurn" icon={CircleStop} disabled={turn.cancelledBy !== null}>
            {turn.cancelledBy === null ? 'Cancel turn' : 'Cancelling'}
          </ActButton>
        )}
        {idle && (
          <ActButton
            action="session.park"
            icon={CircleParking}
            tip="Ends its process; its next turn resumes it"
          >
            Park
          </ActButton>
        )}
        <PullButton runId={runId} state={state} />
        {toApply && (
          <ActButton action="run.apply" icon={GitMerge}>
            Apply to checkout
          </ActButton>
        )}
        <ActButton action="session.editor" icon={ExternalLink} disabled={path === null}>
          Open in editor
        </ActButton>
        <ActIcon action="session.run" icon={ListTree} label="Open the run of this session" />
        <ActIcon action="session.copy" icon={Link} label="Copy the address of this session" />
      </div>
      <SessionFacts state={state} session={session} />
      {session.notice && <Note tone="waits">{session.notice}</Note>}
      {session.error && <ErrorNote error={session.error} />}
      {dialog}
    </header>
  );
}

/** Its current state in a word: the turn's is more precise than the session's. */
function wordOf(state: RunState, session: SessionState): Word {
  const turn = turnInFlight(state, session);
  if (turn === null) return sessionWords[sessionStanding(session)];
  const asks = Object.values(state.gates).some((gate) => gate.turnId === turn.id && gate.status === 'open');
  const seen = observedNow(state, session);
  if (asks) return stepWords.waiting;
  return seen === null ? turnWords.in_flight : observedWords[seen.state];
}

function SessionFacts({ state, session }: Omit<HeadProps, 'runId'>) {
  const turn = turnInFlight(state, session);
  const { branch, path } = workplaceOf(state, session);
  const spent = spentBy(state, session);
  const { step } = workOf(state, session);
  const seen = observedNow(state, session);
  return (
    <p className="head-facts quiet">
      {seen && (
        <span className={seen.state === 'waits' ? 'waits-text cut' : 'cut'} title={seen.reason}>
          {observedWords[seen.state].word} since {clockTime(seen.since)}: {seen.reason}
        </span>
      )}
      {turn === null && session.reason && <span>{session.reason}</span>}
      <span>
        for <Elapsed from={turn?.startedAt ?? session.since} to={null} />
      </span>
      {session.status === 'ready' && session.reattachedAt !== null && (
        <span title={`Its program kept running: ${fullTime(session.reattachedAt)}`}>
          re-attached after a restart of the core, {clockTime(session.reattachedAt)}
        </span>
      )}
      {step && <span>{step}</span>}
      <span>
        {session.agent ?? 'agent not known yet'}
        {session.model && <span className="faint"> · {session.model}</span>}
      </span>
      <span>{plural(session.turnIds.length, 'turn')}</span>
      <span>{spend(spent.tokens, spent.usd) || 'cost not reported'}</span>
      {branch && (
        <button
          type="button"
          className={`with-icon mono ${styles.headBranch}`}
          title={`Copy the branch ${branch}`}
          onClick={() => copyText(branch, `Copied ${branch}`)}
        >
          <Glyph of={GitBranch} size={12} />
          <span className="cut">{branch}</span>
        </button>
      )}
      {path && (
        <span className={`mono cut ${sessionsStyles.cutStart} reads faint ${styles.headFolder}`} title={path}>
          <bdi>{path}</bdi>
        </span>
      )}
    </p>
  );
}

/** The step that it works for, and which of its agents it is if there are several. */
function workOf(state: RunState, session: SessionState): { step: string | null; role: string | null } {
  const activation = state.activations[session.activationIds.at(-1) ?? 0];
  if (!activation) return { step: null, role: null };
  const { stepId, lanes } = activation;
  const step = stepTitle(state, stepId);
  const lane = Object.entries(lanes).find(([, id]) => id === session.id)?.[0];
  return { step, role: lane === undefined ? null : laneRole(state, stepId, lane) };
}
