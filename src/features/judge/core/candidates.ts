import { isMap } from '@areas/workflows/contract/change';
import type { ContextBundle } from '@areas/workflows/contract/definition';
import { ownValue } from '@contract/own';
import { bundleText, checkedJson } from '@main/core/step/output/bundle';
import type { View } from './config';

/** A text to judge. Judges never see its name. */
export interface Candidate {
  readonly name: string;
  readonly text: string;
}

/**
 * The configured text and the inputs, target first, in cable order. A bundle of variants counts as its
 * variants.
 */
export function candidatesOf({ inputs, config }: View): readonly Candidate[] {
  const arrived = [...(inputs.target_in ?? []), ...(inputs.comparison_in ?? [])];
  const named = config.target === undefined ? [] : [{ name: 'target', text: config.target }];
  const all = [...named, ...arrived.flatMap((bundle) => variantsOf(bundle) ?? [wholeOf(bundle)])];
  const seen = new Map<string, number>();
  return all.map(({ name, text }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count === 1 ? name : `${name} ${count}`, text };
  });
}

function wholeOf(bundle: ContextBundle): Candidate {
  const { step_id: step } = bundle.metadata;
  return {
    name: typeof step === 'string' ? step : 'candidate',
    text: checkedJson(bundle) ?? bundleText(bundle),
  };
}

/** The variants of an experiment that gave an output; null if the bundle is not from an experiment. */
function variantsOf({ content }: ContextBundle): Candidate[] | null {
  const variants = isMap(content) ? ownValue(content, 'variants') : undefined;
  if (!Array.isArray(variants)) return null;
  return variants.flatMap((variant, index): Candidate[] => {
    if (!isMap(variant)) return [];
    const name = ownValue(variant, 'name') ?? ownValue(variant, 'id');
    const output = ownValue(variant, 'output');
    if (output === undefined || output === null) return [];
    const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
    return [{ name: typeof name === 'string' ? name : `variant ${index + 1}`, text }];
  });
}
