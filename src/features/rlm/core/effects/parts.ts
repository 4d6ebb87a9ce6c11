import { type AppError, appError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { EffectParts } from '@main/core/engine/base/effect-parts';
import type { LiveRun } from '@main/core/engine/base/live-run';
import type { CallCancel } from '@main/core/ports/cancel';
import type { RlmEvent, StoredText } from '../../contract/events';
import { WRITE_RETRY_MS } from '../../contract/limits';
import type { RlmState } from '../../contract/state';
import type { RlmConfig } from '../config';
import { liveRepl } from './live-repl';

export type Parts = Pick<EffectParts, 'engine' | 'sandboxes' | 'completions' | 'texts' | 'clock'>;

/** An effect of one question, with its configuration. */
export interface Work {
  readonly parts: Parts;
  readonly run: LiveRun;
  readonly activationId: number;
  readonly config: RlmConfig;
}

export function workOf(parts: Parts, run: LiveRun, activationId: number): Work {
  const stepId = run.state.activations[activationId]?.stepId ?? '';
  const config = run.plan.steps.get(stepId)?.bound.config;
  if (config === undefined) throw new Error(`activation ${activationId} has no step`);
  return { parts, run, activationId, config: config as RlmConfig };
}

export function stateOf({ run, activationId }: Pick<Work, 'run' | 'activationId'>): RlmState {
  const state = run.state.rlm[activationId];
  if (state === undefined) throw new Error(`activation ${activationId} has no question`);
  return state;
}

export const cancelled = () => appError('cancelled', 'The run was cancelled.');

/** Effects are not repeated in a run that is being cancelled. */
export const isGivenUp = (run: LiveRun): boolean => run.state.status === 'cancelling';

/** Placeholder for a text that could not be written before its run was cancelled. */
export const NO_TEXT: StoredText = { sha256: '', path: '', chars: 0 };

/**
 * Stores a text; while the disk does not accept it, waits and notifies the operator. Null if the wait was
 * cancelled.
 */
export async function keep(work: Work, text: string, cancel: CallCancel): Promise<StoredText | null> {
  const { parts, run, activationId } = work;
  const isHeld = (): boolean => stateOf(work).held !== null;
  for (;;) {
    const stored: Result<StoredText> = await parts.texts.put(run.state.artifactsDir, text);
    if (stored.ok && isHeld())
      await parts.engine.report(run, () => (isHeld() ? [held(activationId, null)] : []));
    if (stored.ok) return stored.value;
    if (cancel.cancelled) return null;
    tellHeld(work, stored.error);
    await pause(parts, cancel);
  }
}

const held = (activationId: number, error: AppError | null): RlmEvent => ({
  type: 'rlm.writing-held',
  activationId,
  error,
});

/** Not awaited: the database may be on the same full disk. */
function tellHeld(work: Work, error: AppError): void {
  const { parts, run, activationId } = work;
  const live = liveRepl(parts.sandboxes, run, activationId);
  const isNews = (): boolean => stateOf(work).held === null;
  if (live.telling || !isNews()) return;
  live.telling = true;
  const reported = parts.engine.report(run, () => (isNews() ? [held(activationId, error)] : []));
  const end = (): void => {
    live.telling = false;
  };
  void reported.then(end, end);
}

const pause = ({ clock }: Parts, cancel: CallCancel): Promise<void> =>
  new Promise((resolve) => {
    const stop = clock.at(clock.now() + WRITE_RETRY_MS, resolve);
    cancel.onCancel(() => {
      stop();
      resolve();
    });
  });
