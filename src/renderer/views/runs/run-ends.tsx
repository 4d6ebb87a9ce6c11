import { timerWords } from '@contract/run/keys';
import type { RunState, TimerState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { Clock, Paperclip } from 'lucide-react';
import { clockTime } from '../../client/time';
import { Ago, Elapsed, Until } from '../../parts/ago';
import { ErrorNote } from '../../parts/error-note';
import { Marked } from '../../parts/marks';
import { Chained } from '../../parts/transcript/chain';
import { runWords } from '../../parts/words';
import { FoldedText } from '../../ui/fold';
import { Glyph } from '../../ui/icon';
import styles from './run-ends.module.css';

/** What the run was asked to do, and with what. */
export function RunStart({ state }: { state: RunState }) {
  return (
    <section className={styles.runStart} aria-label="Beginning">
      {state.instruction.trim() !== '' && (
        <div className="prompt">
          <span className="note faint">Instruction</span>
          <FoldedText text={state.instruction} />
        </div>
      )}
      {state.attachments.length > 0 && (
        <ul className="chips" aria-label="Attachments">
          {state.attachments.map((file) => (
            <li key={file.path} className="chip" title={file.path}>
              <Glyph of={Paperclip} size={12} />
              {file.name}
            </li>
          ))}
        </ul>
      )}
      {state.workspaceStatus === 'requested' && <p className="note quiet">The workspace is being made.</p>}
      {state.workspaceError && <ErrorNote error={state.workspaceError} />}
    </section>
  );
}

export function RunFinish({ state }: { state: RunState }) {
  return (
    <section className="run-finish" aria-label="End">
      <p>
        <Marked word={runWords[runStatus(state)]} chip />{' '}
        {state.finishedAt !== null && (
          <span className="quiet">
            <Ago at={state.finishedAt} />, after <Elapsed from={state.startedAt} to={state.finishedAt} />
          </span>
        )}
      </p>
      {state.reason && <p className="reads quiet">{state.reason}</p>}
    </section>
  );
}

/** Something that will happen by itself. */
export function TimerRow({ timer }: { timer: TimerState }) {
  return (
    <Chained mark={<Glyph of={Clock} size={11} />} tone="grey">
      <p className={`${styles.timer} quiet`}>
        At {clockTime(timer.dueAt)}, <Until at={timer.dueAt} />: {timerWords(timer.purpose)}
      </p>
    </Chained>
  );
}
