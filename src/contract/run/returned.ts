import { own } from '../own';
import { outputText } from '../workflow/bundle-text';
import type { RunState } from './state';

/** What a finished run gives back: the output of the step that its workflow `returns`. */
export interface Returned {
  readonly step: string;
  readonly text: string;
}

/** Null where the workflow returns nothing, or the step did not succeed. */
export function returnedBy({ definition, steps, activations }: RunState): Returned | null {
  const { returns: step } = definition;
  if (step === undefined) return null;
  const state = own(steps, step);
  const last = activations[state?.activationIds.at(-1) ?? 0];
  if (last?.outcome !== 'succeeded' || state?.skipped != null) return null;
  return { step, text: outputText(last.outputs) };
}
