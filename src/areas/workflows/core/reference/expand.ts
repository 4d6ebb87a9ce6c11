import type { AppError } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import type { FoundReference } from './reference';
import { expandScript } from './script/expand';
import type { PlacedReference } from './script/place';
import { scanScript } from './script/scan';
import { type TemplateField, type TemplateText, textsAt } from './templates';
import { expandText, type Piece, piecesOf } from './text';
import { readShown, readWhole, type Values } from './values';

/** A text of a configuration, with its field. */
export type Template = TemplateText & { readonly field: TemplateField } & (
    | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
    | { readonly kind: 'script'; readonly placed: readonly PlacedReference[] }
  );

/** The templates of a configuration that contain references or escapes. */
export function templatesIn(config: unknown, fields: readonly TemplateField[]): readonly Template[] {
  return fields.flatMap((field) =>
    textsAt(config, field)
      .filter(({ text }) => text.includes('$'))
      .map((one): Template => {
        if (field.kind === 'text') return { ...one, field, kind: 'text', pieces: piecesOf(one.text) };
        return { ...one, field, kind: 'script', placed: scanScript(one.text) };
      })
      .filter((one) => (one.kind === 'script' ? one.placed.length > 0 : hasPieces(one.pieces))),
  );
}

/** A single piece of plain text needs no expansion. */
const hasPieces = (pieces: readonly Piece[]): boolean =>
  pieces.length > 1 || pieces.some((piece) => 'found' in piece);

interface Expanded {
  /** Each text by its path in the configuration. */
  readonly texts: Record<string, string>;
  readonly env: Record<string, string>;
  readonly warnings: string[];
}

/** Expands the references in all templates of a step, or returns the error that fails it. */
export function expandTemplates(
  templates: readonly Template[],
  values: Values,
): { readonly expanded: Expanded } | { readonly error: AppError } {
  const warnings = new Set<string>();
  const lookup =
    (read: typeof readWhole) =>
    ({ reference }: FoundReference): Result<string> => {
      const found = read(reference, values);
      if (!found.ok) return found;
      if (found.value.warning !== null) warnings.add(found.value.warning);
      return ok(found.value.text);
    };
  const texts: Record<string, string> = {};
  const env: Record<string, string> = {};
  for (const template of templates) {
    if (template.kind === 'text') {
      const read = template.field.decides === true ? readWhole : readShown;
      const expanded = expandText(template.pieces, lookup(read));
      if (!expanded.ok) return { error: expanded.error };
      setOwnValue(texts, template.path, expanded.value);
      continue;
    }
    const { text: script, placed } = template;
    const expanded = expandScript({ script, placed, first: Object.keys(env).length + 1 }, lookup(readWhole));
    if (!expanded.ok) return { error: expanded.error };
    setOwnValue(texts, template.path, expanded.value.script);
    Object.assign(env, expanded.value.env);
  }
  return { expanded: { texts, env, warnings: [...warnings] } };
}
