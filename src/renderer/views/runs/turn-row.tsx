import type { GateState, SessionState, TurnState } from '@contract/run/state';
import { CornerUpLeft, Hourglass, Link, Paperclip, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { bytes, spend } from '../../client/format';
import { useTranscript } from '../../client/hooks';
import { Ago, Elapsed, Until } from '../../parts/ago';
import { copyAddress } from '../../parts/copy';
import { ErrorNote } from '../../parts/error-note';
import { Marked } from '../../parts/marks';
import { stepWords, turnWords, type Word } from '../../parts/words';
import { IconButton } from '../../ui/button';
import { FoldedText } from '../../ui/fold';
import { Glyph } from '../../ui/icon';
import { Note } from '../../ui/note';
import { Chained } from './chain';
import { GateInPlace } from './gate-row';
import { turnTitle } from './timeline';
import { TranscriptBlocks } from './transcript-blocks';

interface TurnRowProps {
  readonly runId: number;
  readonly turn: TurnState;
  readonly gates: readonly GateState[];
  readonly session: SessionState | undefined;
  readonly onlyGate: number | null;
}

/** One prompt and its answer. */
export function TurnRow({ runId, turn, gates, session, onlyGate }: TurnRowProps) {
  const word = turnWords[turn.status];
  const waits = gates.some((gate) => gate.status === 'open');
  return (
    <Chained mark={markOf(turn)} tone={waits ? 'waits' : word.tone}>
      <section className="turn" aria-label={turnTitle(turn)}>
        <TurnHead
          turn={turn}
          word={waits && turn.status === 'in_flight' ? stepWords.waiting : word}
          sessionKey={session?.key}
        />
        <TurnPrompt turn={turn} />
        <Answer runId={runId} turn={turn} />
        {gates.map((gate) => (
          <GateInPlace key={gate.id} runId={runId} gate={gate} keys={gate.id === onlyGate} />
        ))}
        <TurnEnd turn={turn} />
      </section>
    </Chained>
  );
}

function markOf(turn: TurnState): React.ReactNode {
  if (turn.kind === 'reprompt') return turn.ordinal;
  if (turn.kind === 'feedback') return <Glyph of={CornerUpLeft} size={11} />;
  return null;
}

interface TurnHeadProps {
  readonly turn: TurnState;
  readonly word: Word;
  readonly sessionKey: string | undefined;
}

const TurnHead = memo(function TurnHead({ turn, word, sessionKey }: TurnHeadProps) {
  const [uid] = sessionKey?.split('/') ?? [];
  const used = turn.usage ? spend(turn.usage.total_tokens ?? sum(turn.usage), turn.usage.cost_usd ?? 0) : '';
  return (
    <header className="turn-head">
      <h3>{turnTitle(turn)}</h3>
      {turn.resendOf !== null && (
        <span className="with-icon quiet note" title={`The same as turn ${turn.resendOf}, sent once more`}>
          <Glyph of={RotateCcw} size={12} /> sent again
        </span>
      )}
      <Marked word={word} />
      <span className="faint note">
        <Elapsed from={turn.startedAt} to={turn.finishedAt} />
      </span>
      <span className="grow" />
      <span className="faint note">{used}</span>
      {turn.commit && (
        <span className="mono faint note" title="The commit that the turn left">
          {turn.commit.slice(0, 8)}
        </span>
      )}
      <span className="faint note">
        <Ago at={turn.startedAt} />
      </span>
      {uid && (
        <IconButton
          className="on-hover"
          icon={Link}
          label="Copy the address of this turn"
          onClick={() => copyAddress('run', uid, 'turn', turn.id)}
        />
      )}
    </header>
  );
});

const sum = (usage: NonNullable<TurnState['usage']>): number =>
  (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);

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

/** What streamed where it is known, else the answer as it stands in the run. */
function Answer({ runId, turn }: { runId: number; turn: TurnState }) {
  const { transcript, status } = useTranscript(runId, turn.id);
  const live = turn.status === 'in_flight';
  const said = transcript.blocks.some((block) => block.kind === 'text');
  if (live && transcript.blocks.length === 0) {
    return status === 'loading' ? null : <p className="faint waiting-words">Nothing said yet</p>;
  }
  return <TranscriptBlocks blocks={transcript.blocks} live={live} answer={said ? null : turn.response} />;
}

function TurnEnd({ turn }: { turn: TurnState }) {
  if (turn.status === 'in_flight' || turn.status === 'completed') return null;
  return (
    <>
      {turn.error ? (
        <ErrorNote error={turn.error} />
      ) : (
        turn.stopReason && (
          <Note tone={turn.status === 'cancelled' ? 'plain' : 'waits'}>{turn.stopReason}</Note>
        )
      )}
      {turn.limitResetsAt !== null && (
        <p className="with-icon quiet note">
          <Glyph of={Hourglass} size={13} /> the limit ends <Until at={turn.limitResetsAt} />
        </p>
      )}
    </>
  );
}
