import { TranscriptBlocks } from '@areas/sessions/view/parts/transcript-blocks';
import type { TurnState } from '@contract/run/state';
import { useTranscript } from '@renderer/client/hooks';
import { Marked } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { stepWords, turnWords } from '@renderer/parts/words/status-words';
import { LEAD } from '../../contract/events';
import teamsStyles from '../teams.module.css';
import { nameOf } from '../words';
import chatStyles from './chat.module.css';
import styles from './live-row.module.css';

interface LiveRowProps {
  readonly runId: number;
  readonly who: string;
  readonly turn: TurnState;
  /** It waits for the operator's answer. */
  readonly waits: boolean;
  /** In its own thread the whole text; in the chat of all only the end. */
  readonly whole: boolean;
}

/** What a member or the lead is saying and doing now. */
export function LiveRow({ runId, who, turn, waits, whole }: LiveRowProps) {
  const { transcript } = useTranscript(runId, turn.id);
  const { blocks } = transcript;
  const name = who === LEAD ? nameOf(who) : who;
  const label = turn.label?.replace(`${who}: `, '') ?? '';
  return (
    <article className={styles.liveRow} aria-label={`${name} is working`}>
      <header className={teamsStyles.chatHead}>
        <strong>{name}</strong>
        {label !== '' && label !== LEAD && <span className={chatStyles.resultRound}>{label}</span>}
        <Marked word={waits ? stepWords.waiting : turnWords[turn.status]} />
        <span className="faint note">
          <Elapsed from={turn.startedAt} to={null} />
        </span>
        {turn.cancelledBy !== null && <span className="quiet note">being interrupted</span>}
      </header>
      <div className={whole ? '' : styles.liveTail}>
        <div className={styles.liveEnd}>
          {blocks.length === 0 ? (
            <p className="faint waiting-words">Nothing said yet</p>
          ) : (
            <TranscriptBlocks
              runId={runId}
              blocks={whole ? blocks : blocks.slice(-2)}
              live
              answer={null}
              gates={[]}
              keyedGate={null}
            />
          )}
        </div>
      </div>
    </article>
  );
}
