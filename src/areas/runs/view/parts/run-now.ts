import { ownValue } from '@contract/own';
import { featureProgress } from '@contract/run/features/feature-answers';
import { ownerOf, scopeOf } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import { bringsRetry, waitsForLimit } from '@contract/run/status';
import { turnTitle } from '@contract/run/turn/turn-title';
import { activationWaits, waitingSteps } from '@contract/run/waiting';
import { endWord, stepWords, type Word } from '@renderer/parts/words/status-words';

/** A step as the outline shows it. */
export interface StepNow {
  readonly word: Word;
  /** `Re-prompt 2/3`, why the step was skipped, or null. */
  readonly note: string | null;
  /** The completed part of its chain of prompts, while it works. */
  readonly part: number | null;
  readonly last: ActivationState | null;
}

export function stepNow(state: RunState, stepId: string): StepNow {
  const step = ownValue(state.steps, stepId);
  const last = state.activations[step?.activationIds.at(-1) ?? 0] ?? null;
  if (step?.skipCause === 'disabled') return { word: stepWords.off, note: null, part: null, last };
  if (step?.skipped != null) return { word: stepWords.skipped, note: step.skipped, part: null, last };
  if (last === null) return { word: stepWords.pending, note: null, part: null, last };
  if (last.status === 'finished') {
    const retry = state.timers[last.retryTimer ?? 0];
    if (retry !== undefined && bringsRetry(state, retry))
      return {
        word: stepWords.waitsItself,
        note: `Waiting for attempt ${last.attempt + 1}`,
        part: null,
        last,
      };
    return { word: activationWord(state, last), note: null, part: null, last };
  }
  const turn = state.turns[last.turnIds.at(-1) ?? 0];
  const command = state.commands[last.commandIds.at(-1) ?? 0];
  const rest = activationWaits(state, last) ? (featureProgress(state, last.id)?.text ?? null) : null;
  const note = rest ?? (turn ? turnTitle(turn) : command ? 'Command' : null);
  const done = turn && turn.of > 1 ? (turn.ordinal + (turn.status === 'completed' ? 1 : 0)) / turn.of : null;
  return { word: activationWord(state, last), note, part: done, last };
}

/** The word for one activation of a step; gates in its scopes are ignored. */
export function activationWord(state: RunState, activation: ActivationState): Word {
  if (activation.status === 'finished') return endWord(activation);
  if (activationWaits(state, activation)) return stepWords.waiting;
  return activation.timerIds.some((id) => waitsForLimit(state, id)) ? stepWords.limit : stepWords.running;
}

/** Activations before the last one: retries and rounds. */
export const attempts = (state: RunState, stepId: string): number =>
  ownValue(state.steps, stepId)?.activationIds.length ?? 0;

/** Whether a step in a scope of this step waits for the operator. */
export const asksInside = (state: RunState, stepKey: string): boolean =>
  [...waitingSteps(state)].some((key) => isInside(key, stepKey));

function isInside(key: string, stepKey: string): boolean {
  for (let scope = scopeOf(key); scope !== null; scope = scopeOf(ownerOf(scope)))
    if (ownerOf(scope) === stepKey) return true;
  return false;
}
