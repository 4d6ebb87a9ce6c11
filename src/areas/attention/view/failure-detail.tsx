import { largePiece } from '@areas/evidence/contract/evidence';
import { Evidence } from '@areas/evidence/view/parts/evidence';
import { OptionRow } from '@areas/gates/view/parts/answer/option-row';
import type { AppError } from '@contract/errors';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { useHandlers, useRun, wholeRun } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { ActButton, useCaps } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { outcomeWords, runWords } from '@renderer/parts/words/status-words';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { ListTree } from 'lucide-react';
import type { Failure } from '../contract/procedures';
import styles from './gate-detail.module.css';
import { useDecide } from './parts/use-decide';

interface FailureDetailProps {
  readonly itemKey: string;
  readonly failure: Failure;
}

/** A failed run: why, how far it came, and whether it continues. */
export function FailureDetail({ itemKey, failure }: FailureDetailProps) {
  const { runId, runName, projectName, at, reason } = failure;
  const state = useRun(runId, wholeRun);
  const { resting, decide } = useDecide(itemKey, runName);
  const resumeCaps = useCaps('failure.resume');
  const dismissCaps = useCaps('failure.dismiss');
  const resume = () => decide({ word: 'Resume', sends: { procedure: 'run.resume', input: { runId } } });
  const dismiss = () =>
    decide({ word: 'Dismiss', sends: { procedure: 'attention.markSeen', input: { upTo: at, runId } } });
  useHandlers({
    'failure.resume': resume,
    'failure.dismiss': dismiss,
    'item.open': () => navigate(hashOf('run', runId)),
  });
  return (
    <article className={`pane ${styles.gateDetail}`} aria-label={`${runName} failed`}>
      <header className="detail-head">
        <div className="detail-line">
          <span className="faint">Failed run</span>
          <span className="grow" />
          <ActButton action="item.open" tone="ghost" icon={ListTree}>
            Open the run
          </ActButton>
        </div>
        <h1 className="reads">{inPlainSight(runName)}</h1>
        <p className={`quiet ${styles.gateWho}`}>
          {projectName !== null && <span>{projectName}</span>}
          <span>
            failed <Ago at={at} />
          </span>
          {state !== null && (
            <span>
              after <Elapsed from={state.startedAt} to={state.finishedAt ?? at} />
            </span>
          )}
        </p>
      </header>
      <div className={`scroll ${styles.gateBody}`} data-focus tabIndex={-1}>
        <Why state={state} reason={reason} />
        {state !== null && <FailedOutput runId={runId} state={state} />}
        {state !== null && <Steps runId={runId} state={state} />}
      </div>
      <section className="gate-answer" aria-label="Your answer" data-resting={resting ? '' : undefined}>
        <OptionRow
          option={{ label: 'Resume', effect: 'The run goes on at the step that failed.', tone: 'approve' }}
          caps={resumeCaps}
          disabled={resting}
          onTake={resume}
        />
        <OptionRow
          option={{
            label: 'Dismiss',
            effect: 'The run stays as it is and leaves this list.',
            tone: 'neutral',
          }}
          caps={dismissCaps}
          disabled={resting}
          onTake={dismiss}
        />
      </section>
    </article>
  );
}

/** The error of the step that failed last; if no step has one, the reason in the run. */
function Why({ state, reason }: { state: RunState | null; reason: string | null }) {
  const error: AppError | null =
    Object.values(state?.activations ?? {}).findLast(({ outcome }) => outcome === 'failed')?.error ?? null;
  if (error !== null) return <ErrorNote error={error} />;
  return <p className="reads">{inPlainSight(reason ?? 'The run gives no reason.')}</p>;
}

/** The output or answer of the step that failed last. */
function FailedOutput({ runId, state }: { runId: number; state: RunState }) {
  const failed = Object.values(state.activations).findLast(({ outcome }) => outcome === 'failed');
  if (failed === undefined) return null;
  const command = state.commands[failed.commandIds.at(-1) ?? 0];
  const turn = state.turns[failed.turnIds.at(-1) ?? 0];
  const pieces = [
    largePiece('output', command?.output ?? '', 'Output'),
    largePiece('output', command?.errorOutput ?? '', 'Standard error'),
    largePiece('markdown', turn?.response ?? '', 'Last answer'),
  ].filter(({ text }) => text.trim() !== '');
  if (pieces.length === 0) return null;
  return (
    <section className={styles.failedOutput} aria-label="Output of the failed step">
      <h2 className="quiet note">{stepTitle(state, failed.stepId)}</h2>
      <Evidence runId={runId} pieces={pieces} />
    </section>
  );
}

/** The last activation of each step that was reached. */
function Steps({ runId, state }: { runId: number; state: RunState }) {
  const last = new Map(Object.values(state.activations).map((one) => [one.stepId, one]));
  return (
    <ul className={styles.steps} aria-label="Steps">
      {[...last].map(([stepId, { outcome, startedAt, finishedAt }]) => (
        <li key={stepId}>
          <Marked word={outcome === null ? runWords.cancelled : outcomeWords[outcome]} markOnly />
          <a href={hashOf('run', runId, 'step', stepId)}>{stepTitle(state, stepId)}</a>
          <span className="faint note">
            {startedAt !== null && <Elapsed from={startedAt} to={finishedAt} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
