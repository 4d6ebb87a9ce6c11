import type { EvidenceKind } from '../evidence/evidence';
import { own } from '../own';
import { checkedJson, outputBundle, outputText } from '../workflow/bundle-text';
import type { ContextBundle } from '../workflow/definition';
import type { RunState } from './state';

/** What a finished run gives back: the output of the step that its workflow `returns`. */
export interface Returned {
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly text: string;
}

/** Null where the workflow returns nothing, or the step did not succeed. */
export function returnedBy({ definition, steps, activations }: RunState): Returned | null {
  const { returns: step } = definition;
  if (step === undefined) return null;
  const state = own(steps, step);
  const last = activations[state?.activationIds.at(-1) ?? 0];
  if (last?.outcome !== 'succeeded' || state?.skipped != null) return null;
  return { step, kind: kindOf(outputBundle(last.outputs)), text: outputText(last.outputs) };
}

function kindOf(bundle: ContextBundle | undefined): EvidenceKind {
  if (bundle === undefined) return 'text';
  if (checkedJson(bundle) !== null) return 'json';
  if (bundle.kind !== undefined) return bundle.kind;
  const { content } = bundle;
  const merged = content !== null && typeof content === 'object' && 'merged_content' in content;
  return typeof content === 'string' || merged ? 'markdown' : 'json';
}
