import type { PromptSchema, PromptValues } from '../contract/schema';
import { parseTemplate } from './template';

/**
 * Fills in a text's values. Values are inserted unchanged and never searched for placeholders or escapes. An
 * optional placeholder without a value is empty. Throws on bugs only: a missing required value, a value
 * unknown to the schema, an unvalidated text.
 */
export function renderPrompt<const S extends PromptSchema>(
  schema: S,
  text: string,
  values: PromptValues<S>,
): string {
  const given = new Map<string, unknown>(Object.entries(values));
  for (const { name, required } of schema.placeholders) {
    if (required && typeof given.get(name) !== 'string')
      throw new Error(`prompt ${schema.id}: no value for {${name}}`);
  }
  for (const name of given.keys()) {
    if (!schema.placeholders.some((placeholder) => placeholder.name === name))
      throw new Error(`prompt ${schema.id}: no placeholder {${name}}`);
  }
  return parseTemplate(text)
    .map(({ kind, raw, value }) => {
      if (kind === 'wrong') throw new Error(`prompt ${schema.id}: ${raw} in a text that was not validated`);
      if (kind !== 'placeholder') return value ?? '';
      const put = String(given.get(value ?? '') ?? '');
      return raw.endsWith(':,}') ? grouped(put) : put;
    })
    .join('');
}

/** A whole number with thousands separators; any other text unchanged. */
const grouped = (text: string): string => (/^\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text);
