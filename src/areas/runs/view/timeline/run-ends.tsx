import { Chained } from '@areas/sessions/view/parts/chain';
import { timerWords } from '@contract/run/keys';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState, TimerState } from '@contract/run/state';
import { runStatus } from '@contract/run/status';
import { hashOf } from '@renderer/client/route';
import { clockTime } from '@renderer/client/time';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed, Until } from '@renderer/parts/text/ago';
import { runWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Fold, FoldedText } from '@renderer/ui/layout/fold';
import { Clock, Paperclip } from 'lucide-react';
import styles from './run-ends.module.css';
import { RunInputs } from './run-inputs';

/** The instruction of the run, and its inputs. */
export function RunStart({ state }: { state: RunState }) {
  return (
    <section className={styles.runStart} aria-label="Beginning">
      {state.instruction.trim() !== '' && (
        <div className="prompt">
          <span className="note faint">Instruction</span>
          <FoldedText text={state.instruction} />
        </div>
      )}
      <RunInputs state={state} />
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
      {state.workspaceStatus === 'requested' && (
        <p className="note quiet">Muster is preparing the workspace.</p>
      )}
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
      <EndReason state={state} />
    </section>
  );
}

/** The steps that ended the run; each shows its own reason. */
function EndReason({ state }: { state: RunState }) {
  const { outcome, reason } = state;
  const steps = outcome === 'failed' || outcome === 'rejected' ? endedBy(state, outcome) : [];
  if (steps.length === 0) return reason && <p className="reads quiet">{inPlainSight(reason)}</p>;
  return (
    <p className="quiet">
      {steps.map((key, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <a href={hashOf('run', state.uid, 'step', key)}>{stepTitle(state, key)}</a>
        </span>
      ))}{' '}
      {outcome === 'failed' ? 'failed. Resume the run to try again from there.' : 'was rejected.'}
    </p>
  );
}

/** The steps of the workflow itself whose last attempt has the run's outcome. */
function endedBy(state: RunState, outcome: string): string[] {
  const last = new Map(Object.values(state.activations).map((one) => [one.stepId, one]));
  const stepIds = new Set(state.definition.steps.map(({ id }) => id));
  return [...last].filter(([key, one]) => stepIds.has(key) && one.outcome === outcome).map(([key]) => key);
}

/** The pending timers: one line for the next one, which expands if there are more. */
export function TimersRow({ timers }: { timers: readonly TimerState[] }) {
  const [next, ...others] = timers;
  if (next === undefined) return null;
  const more = others.length === 1 ? '1 more timer' : `${others.length} more timers`;
  return (
    <Chained mark={<Glyph of={Clock} size={11} />} tone="grey">
      <div className={`${styles.timer} quiet`}>
        <Timer timer={next} />
        {others.length > 0 && (
          <Fold head={more}>
            <ul>
              {others.map((timer) => (
                <li key={timer.id}>
                  <Timer timer={timer} />
                </li>
              ))}
            </ul>
          </Fold>
        )}
      </div>
    </Chained>
  );
}

const Timer = ({ timer: { dueAt, purpose } }: { timer: TimerState }) => (
  <p>
    At {clockTime(dueAt)}, <Until at={dueAt} />: {timerWords(purpose)}
  </p>
);
