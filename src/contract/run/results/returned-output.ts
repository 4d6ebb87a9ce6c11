import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import { checkedJson, outputBundle, storedText } from '@areas/workflows/contract/bundle-text';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import { ownValue } from '../../own';
import type { MarkedText } from '../../whole-text';
import type { ActivationOutcome } from '../activation/events';
import type { RunState } from '../state';

/** A finished run's return value: the output of the step that its workflow `returns`. */
export interface Returned {
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly text: MarkedText;
  /** Of a large text: `json` if its file has the JSON of the output, of which the result is a part. */
  readonly form: 'text' | 'json';
}

/** Null if the workflow returns nothing, or the step did not succeed. */
export function returnedBy({ definition, steps, activations }: RunState): Returned | null {
  const { returns: step } = definition;
  if (step === undefined) return null;
  const state = ownValue(steps, step);
  const last = activations[state?.activationIds.at(-1) ?? 0];
  if (last?.outcome !== 'succeeded' || state?.skipped != null) return null;
  const bundle = outputBundle(last.outputs);
  const form = bundle !== undefined && 'large' in bundle ? bundle.form : 'text';
  return { step, kind: kindOf(bundle), text: bundle === undefined ? '' : storedText(bundle), form };
}

/** Why a successful run returns nothing although its workflow names a step. */
interface NotReturned {
  readonly step: string;
  /** How the step ended, as the end of a sentence: `was skipped: its condition is false: ...`. */
  readonly why: string;
}

/** Also null if the run failed or was cancelled, which is explanation enough. */
export function notReturned(state: RunState): NotReturned | null {
  const step = state.definition.returns;
  const wentThrough = state.outcome === 'succeeded' || state.outcome === 'rejected';
  if (step === undefined || state.status !== 'finished' || !wentThrough || returnedBy(state) !== null)
    return null;
  const { skipped = null, activationIds = [] } = ownValue(state.steps, step) ?? {};
  if (skipped !== null) return { step, why: `was skipped: ${skipped}` };
  const outcome = state.activations[activationIds.at(-1) ?? 0]?.outcome;
  return { step, why: outcome == null ? 'did not run' : UNLIKE_SUCCESS[outcome] };
}

const UNLIKE_SUCCESS: Readonly<Record<ActivationOutcome, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
  rejected: 'was rejected',
  revised: 'was sent back',
};

function kindOf(bundle: StoredBundle | undefined): EvidenceKind {
  if (bundle === undefined) return 'text';
  if ('large' in bundle) return bundle.kind ?? (bundle.form === 'json' ? 'json' : 'markdown');
  if (checkedJson(bundle) !== null) return 'json';
  if (bundle.kind !== undefined) return bundle.kind;
  const { content } = bundle;
  const merged = content != null && typeof content === 'object' && 'merged_content' in content;
  return typeof content === 'string' || merged ? 'markdown' : 'json';
}
