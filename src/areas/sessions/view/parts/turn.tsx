import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import type { LostHost } from '@areas/hosts/contract/lost-host';
import { LostHostNote } from '@areas/hosts/view/parts/lost-host-note';
import type { GateState, TurnState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';
import { bytes, plural, spend } from '@renderer/client/format';
import { useTranscript } from '@renderer/client/hooks';
import { formatRoute } from '@renderer/client/route';
import type { TranscriptView } from '@renderer/client/runs/transcript-follower';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed, Until } from '@renderer/parts/text/ago';
import { LineCounts } from '@renderer/parts/text/line-counts';
import { usePast } from '@renderer/parts/text/shown-time';
import { stepWords, turnWords, type Word } from '@renderer/parts/words/status-words';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { FoldedText } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import { sentence } from '@renderer/ui/sentence';
import { FileDiff, Hourglass, Link, Paperclip, RotateCcw, SquareTerminal } from 'lucide-react';
import { memo } from 'react';
import type { Usage } from '../../contract/session';
import { Commands } from './commands';
import { TranscriptBlocks } from './transcript-blocks';
import styles from './turn.module.css';

interface TurnProps {
  readonly runId: number;
  readonly turn: TurnState;
  readonly title: string;
  readonly gates: readonly GateState[];
  /** The gate that the keys of the inbox apply to. */
  readonly keyedGate: number | null;
  /** The host on which it works, if that cannot be reached. */
  readonly lost?: LostHost | null;
  readonly onCopy: (() => void) | null;
  /** The address of the terminal in which the agent's commands ran; absent if there is none. */
  readonly terminal?: string | undefined;
}

/** The state of a turn: it waits while one of its gates is open. */
export function turnWord(turn: TurnState, gates: readonly GateState[]): Word {
  const waits = turn.status === 'in_flight' && gates.some((gate) => gate.status === 'open');
  return waits ? stepWords.waiting : turnWords[turn.status];
}

/** One prompt and its answer: what was asked, said, done and changed. */
export function Turn({ runId, turn, title, gates, keyedGate, lost = null, onCopy, terminal }: TurnProps) {
  const view = useTranscript(runId, turn.id);
  const usage = turn.usage ?? view.transcript.usage;
  return (
    <section className="turn" aria-label={`${title}, turn ${turn.id}`}>
      <TurnHead turn={turn} title={title} word={turnWord(turn, gates)} usage={usage} onCopy={onCopy} />
      <TurnPrompt turn={turn} />
      <LostHostNote lost={lost} />
      {view.error && <ErrorNote error={view.error} />}
      <Answer runId={runId} turn={turn} gates={gates} keyedGate={keyedGate} view={view} />
      <Commands commands={turn.commands} />
      <TurnEnd turn={turn} />
      <Leads runId={runId} turn={turn} terminal={terminal} />
    </section>
  );
}

interface TurnHeadProps {
  readonly turn: TurnState;
  readonly title: string;
  readonly word: Word;
  /** As far as it was reported. */
  readonly usage: Usage | null;
  readonly onCopy: (() => void) | null;
}

function TurnHead({ turn, title, word, usage, onCopy }: TurnHeadProps) {
  const used = usage ? spend(usage.total_tokens ?? sum(usage), usage.cost_usd ?? 0) : '';
  return (
    <header className="turn-head">
      <h2>{title}</h2>
      {turn.resendOf !== null && (
        <span className="with-icon quiet note" title={`The same as turn ${turn.resendOf}, sent once more`}>
          <Glyph of={RotateCcw} size={12} /> sent again
        </span>
      )}
      <Marked word={word} />
      <span className="faint note">
        <Elapsed from={turn.startedAt} to={turn.finishedAt} />
      </span>
      {turn.status === 'in_flight' && turn.cancelledBy && (
        <span className="quiet note">cancelling, requested by {turn.cancelledBy}</span>
      )}
      {onCopy && (
        <IconButton className="on-hover" icon={Link} label="Copy the address of this turn" onClick={onCopy} />
      )}
      <span className="grow" />
      <span className={`faint note ${styles.turnSpent}`} title={used}>
        {used}
      </span>
      {turn.commit && (
        <span className="mono faint note" title="The commit of the turn">
          {turn.commit.slice(0, 8)}
        </span>
      )}
      <span className="faint note">
        <Ago at={turn.startedAt} />
      </span>
    </header>
  );
}

const sum = (usage: Usage): number => (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);

const TurnPrompt = memo(function TurnPrompt({ turn }: { turn: TurnState }) {
  return (
    <div className="prompt">
      <FoldedText text={turn.prompt} />
      {turn.attachments.length > 0 && (
        <ul className="chips" aria-label="Attachments of this turn">
          {turn.attachments.map((file) => (
            <li key={file.path} className="chip" title={file.path}>
              <Glyph of={Paperclip} size={12} />
              {file.name} <span className="faint">{bytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});

type AnswerProps = Pick<TurnProps, 'runId' | 'turn' | 'gates' | 'keyedGate'> & {
  readonly view: TranscriptView;
};

/** The streamed transcript if it is known, otherwise the answer in the run. */
function Answer({ runId, turn, gates, keyedGate, view }: AnswerProps) {
  const { transcript, status } = view;
  const live = turn.status === 'in_flight';
  const past = usePast();
  if (live && past !== null)
    return (
      <>
        <p className="faint note">It was running at this moment. Its answer is at its end.</p>
        {gates.map((gate) => (
          <GateInPlace key={gate.id} runId={runId} gate={gate} keys={false} />
        ))}
      </>
    );
  const said = transcript.blocks.some((block) => block.kind === 'text');
  if (live && transcript.blocks.length === 0 && gates.length === 0) {
    return status === 'ready' ? <p className="faint waiting-words">Nothing said yet</p> : null;
  }
  return (
    <TranscriptBlocks
      runId={runId}
      blocks={transcript.blocks}
      live={live}
      answer={said ? null : shownText(turn.response)}
      gates={gates}
      keyedGate={keyedGate}
    />
  );
}

function TurnEnd({ turn }: { turn: TurnState }) {
  if (turn.status === 'in_flight') return null;
  if (turn.status === 'completed') return <Unkept turn={turn} />;
  return (
    <>
      {turn.error ? (
        <ErrorNote error={turn.error} />
      ) : (
        turn.stopReason && (
          <Note>
            {turn.status === 'cancelled' && turn.cancelledBy
              ? `Cancelled by ${turn.cancelledBy}`
              : sentence(turn.stopReason)}
          </Note>
        )
      )}
      {turn.limitResetsAt !== null && (
        <p className="with-icon quiet note">
          <Glyph of={Hourglass} size={13} /> The limit ends <Until at={turn.limitResetsAt} />
        </p>
      )}
      <Unkept turn={turn} />
    </>
  );
}

/** Its files are in the folder all the same; only the state to compare with and to return to is missing. */
function Unkept({ turn: { unkept } }: { turn: TurnState }) {
  if (unkept === undefined) return null;
  return (
    <Note tone="waits">
      What this turn changed is unknown and cannot be reverted: no snapshot of its folder could be taken.{' '}
      {unkept.message}
    </Note>
  );
}

/** The results of the turn: the size of its changes links to its diff, its commands to their terminal. */
function Leads({ runId, turn, terminal }: Pick<TurnProps, 'runId' | 'turn' | 'terminal'>) {
  const { changes } = turn;
  const changed = changes !== null && changes.files > 0;
  const ran = terminal !== undefined && turn.commands.length > 0;
  if (!changed && !ran) return null;
  const path = ['session', runId, turn.sessionId, 'turn', turn.id].map(String);
  return (
    <div className="turn-leads">
      {changed && (
        <a className="turn-lead" href={formatRoute({ path, query: { show: 'changes' } })}>
          <Glyph of={FileDiff} size={13} />
          <LineCounts added={changes.added} removed={changes.removed} />
          <span>in {plural(changes.files, 'file')}</span>
        </a>
      )}
      {ran && (
        <a className="turn-lead" href={terminal}>
          <Glyph of={SquareTerminal} size={13} />
          <span>Terminal</span>
        </a>
      )}
    </div>
  );
}
