import { ownValue } from '@contract/own';
import { type MarkedText, withMark } from '@contract/whole-text';
import type { ContextBundle, StoredBundle, WholeBundle } from './definition';

/** A bundle's content as text for a prompt: merged text unchanged, anything else as JSON; a cut one with its mark. */
export function bundleText(bundle: ContextBundle): string {
  return 'cut' in bundle ? withMark(bundle.cut) : contentText(bundle);
}

function contentText({ content }: Pick<WholeBundle, 'content'>): string {
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
export const checkedJson = (bundle: ContextBundle): string | null =>
  'cut' in bundle ? null : jsonIn(bundle);

function jsonIn({ content }: Pick<WholeBundle, 'content'>): string | null {
  if (content === null || typeof content !== 'object' || Array.isArray(content)) return null;
  const json = ownValue(content, 'output_json');
  return typeof json === 'string' ? json : null;
}

/** A step's output bundle for the steps behind it. */
export const outputBundle = <B extends StoredBundle>(outputs: Readonly<Record<string, B>>): B | undefined =>
  outputs.data_out ?? outputs.approved_out;

/** An output as references read it. */
export const outputText = (bundle: ContextBundle): MarkedText =>
  'cut' in bundle ? bundle.cut : (checkedJson(bundle) ?? contentText(bundle));

/** The same, of the content of an output. */
export const contentOutput = (content: WholeBundle['content']): string =>
  jsonIn({ content }) ?? contentText({ content });

/** An output in an event, for a reader that does not open files: of a large one the text that its file has. */
export const storedText = (bundle: StoredBundle): MarkedText =>
  'large' in bundle ? bundle.large : outputText(bundle);
