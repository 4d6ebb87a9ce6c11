import { CardHead } from '@areas/runs/view/parts/cards/card-head';
import { Turn } from '@areas/sessions/view/parts/turn';
import type { RunState } from '@contract/run/state';
import { spend } from '@renderer/client/format';
import { setQuery } from '@renderer/client/route';
import { fullTime } from '@renderer/client/time';
import { copyText } from '@renderer/parts/controls/copy';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Elapsed } from '@renderer/parts/text/ago';
import { resultWords, stepWords, type Word } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { GitCommitHorizontal, Logs, SquareTerminal, TriangleAlert } from 'lucide-react';
import type { AttemptState } from '../../contract/state';
import { spentByAttempt, storyOf } from '../../contract/summary';
import { warningWords } from '../../contract/warnings';
import loopsStyles from '../loops.module.css';
import type { LoopAt } from '../place';
import type { TimelineRow } from '../rows';
import { phaseWords, ruleWords, sourceWords } from '../words';
import styles from './attempt-card.module.css';
import { UpdateText } from './update-text';
import { sessionHash } from './use-loop-actions';

type AttemptRow = Extract<TimelineRow, { kind: 'attempt' }>;

/** An attempt's status: its result, or the current activity. */
export function attemptWord({ attempt, gates }: AttemptRow): Word {
  if (attempt.judged !== null) return resultWords[attempt.judged.result];
  if (gates.some((gate) => gate.status === 'open')) return stepWords.waiting;
  return attempt.end === null ? phaseWords.working : phaseWords.looking;
}

interface AttemptCardProps {
  readonly at: LoopAt;
  readonly state: RunState;
  readonly row: AttemptRow;
  readonly open: boolean;
  readonly keyedGate: number | null;
  readonly onToggle: () => void;
}

/** One attempt: its story, result and reason; expanded, also its update and transcript. */
export function AttemptCard({ at, state, row, open, keyedGate, onToggle }: AttemptCardProps) {
  const { attempt, turns, gates } = row;
  const { judged, refused, text } = attempt;
  const name = nameOf(attempt);
  return (
    <section className={`${styles.attempt} ${open ? 'open' : ''}`} aria-label={name}>
      <AttemptHead row={row} name={name} open={open} onToggle={onToggle} />
      <StoryOf attempt={attempt} />
      {text !== null && <p className="quiet note reads">You said: {text}</p>}
      {judged !== null && <Why attempt={attempt} />}
      {refused !== null && <ErrorNote error={refused} />}
      {open && (
        <>
          {judged !== null && <UpdateText attempt={attempt} />}
          {turns.map((turn) => (
            <Turn
              key={turn.id}
              runId={at.runId}
              turn={turn}
              title={turn.id === turns[0]?.id ? 'Worker' : 'Worker, again'}
              gates={gates.filter(({ turnId }) => turnId === turn.id)}
              keyedGate={keyedGate}
              onCopy={null}
            />
          ))}
          <Leads session={sessionHash(state, at, attempt.id)} />
        </>
      )}
    </section>
  );
}

const nameOf = ({ iteration, of, retry }: AttemptState): string =>
  `Iteration ${iteration}/${of}${retry > 0 ? ` (retry ${retry})` : ''}`;

interface HeadProps {
  readonly row: AttemptRow;
  readonly name: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function AttemptHead({ row, name, open, onToggle }: HeadProps) {
  const { attempt, turns } = row;
  const { tokens, costUsd } = spentByAttempt(attempt, turns);
  const commit = attempt.judged?.commit ?? null;
  return (
    <CardHead name={name} open={open} onToggle={onToggle}>
      <Marked word={attemptWord(row)} />
      <span className="grow" />
      {commit !== null && (
        <button
          type="button"
          className="text-button mono note with-icon"
          title={`Copy the commit ${commit}`}
          onClick={() => copyText(commit, `Copied ${commit}`)}
        >
          <Glyph of={GitCommitHorizontal} size={13} />
          {commit.slice(0, 8)}
        </button>
      )}
      <span className="faint note">{spend(tokens, costUsd)}</span>
      <span className="faint note" title={`Began ${fullTime(attempt.startedAt)}`}>
        <Elapsed from={attempt.startedAt} to={attempt.endedAt} />
      </span>
    </CardHead>
  );
}

function StoryOf({ attempt }: { attempt: AttemptState }) {
  const { judged } = attempt;
  const story = storyOf(attempt);
  const source = judged === null ? null : sourceWords[judged.storySource];
  if (story === null)
    return judged === null ? null : <p className={`faint ${loopsStyles.attemptStory}`}>Story: unknown</p>;
  return (
    <p className={loopsStyles.attemptStory} title={source === null ? undefined : `Story: ${source.text}`}>
      <span className={`mono ${loopsStyles.storyId}`}>{story.id}</span>
      <span className="cut">{story.title ?? ''}</span>
      {source?.inferred && (
        <span className={`${styles.storyInferred} note`}>
          inferred<span className="hidden-text">: {source.text}</span>
        </span>
      )}
    </p>
  );
}

/** The rules that rely on the worker's own claim. */
const CLAIM_RULES: readonly number[] = [3, 5];

/** Why the attempt has this result, and what contradicts it. */
function Why({ attempt }: { attempt: AttemptState }) {
  const { judged } = attempt;
  if (judged === null) return null;
  // If the claim itself decided, that is already stated.
  const borneOut = judged.claim === judged.result && !CLAIM_RULES.includes(judged.rule);
  return (
    <div className={styles.attemptWhy}>
      <p className="quiet note reads">
        {judged.result}: {ruleWords(judged.rule)}
        {borneOut && '; the worker agrees'}
        {judged.terminal && '. It was the second failure, which ends the loop'}
      </p>
      {judged.halt !== null && <p className="failed-text note reads">Not safe to continue: {judged.halt}</p>}
      {judged.warnings.map((warning) => (
        <p key={warning} className="waits-text note with-icon reads" title={warning}>
          <Glyph of={TriangleAlert} size={13} />
          {warningWords(warning)}
        </p>
      ))}
    </div>
  );
}

function Leads({ session }: { session: string | null }) {
  return (
    <div className="turn-leads">
      <button type="button" className="turn-lead" onClick={() => setQuery({ show: 'logs' })}>
        <Glyph of={Logs} size={13} />
        <span>Logs</span>
      </button>
      {session !== null && (
        <a className="turn-lead" href={session}>
          <Glyph of={SquareTerminal} size={13} />
          <span>Session</span>
        </a>
      )}
    </div>
  );
}
