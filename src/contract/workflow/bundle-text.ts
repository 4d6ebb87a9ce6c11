import { ownValue } from '../own';
import type { ContextBundle } from './definition';

/** A bundle's content as text for a prompt: merged text unchanged, anything else as JSON. */
export function bundleText(bundle: ContextBundle): string {
  const { content } = bundle;
  if (typeof content === 'string') return content;
  if (
    content !== null &&
    typeof content === 'object' &&
    !Array.isArray(content) &&
    typeof content.merged_content === 'string'
  ) {
    return content.merged_content;
  }
  return JSON.stringify(content, null, 2);
}

/** The JSON of an answer that matched its step's `output_format`; null if there is none. */
export function checkedJson({ content }: ContextBundle): string | null {
  if (content === null || typeof content !== 'object' || Array.isArray(content)) return null;
  const json = ownValue(content, 'output_json');
  return typeof json === 'string' ? json : null;
}

/** A step's output bundle for the steps behind it. */
export const outputBundle = (outputs: Readonly<Record<string, ContextBundle>>): ContextBundle | undefined =>
  outputs.data_out ?? outputs.approved_out;

/** A step's output as text. */
export function outputText(outputs: Readonly<Record<string, ContextBundle>>): string {
  const bundle = outputBundle(outputs);
  return bundle === undefined ? '' : (checkedJson(bundle) ?? bundleText(bundle));
}
