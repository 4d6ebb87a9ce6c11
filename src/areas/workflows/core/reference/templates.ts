import { ownValue } from '@contract/own';
import type { ScopedVariable } from './reference';

/**
 * A configuration field in which references are expanded. A module lists its fields once, for validation,
 * expansion and the editor's completion.
 */
export interface TemplateField {
  /** `instruction`; `agents[].re_prompts[].text` for entries of lists, `inputs.*` for those of a map. */
  readonly path: string;
  /** `text` is inserted unchanged; in a `script` a reference becomes a quoted variable expansion. */
  readonly kind: 'text' | 'script';
  /** Variables available only in this field. */
  readonly variables?: readonly ScopedVariable[];
  /**
   * Its values are only known after the step's start: its module requests the expansion (`ExpandDecision`).
   */
  readonly later?: boolean;
  /** Its text decides something, so a cut output is refused in it; elsewhere it is inserted with its mark. */
  readonly decides?: boolean;
}

/** A text of a configuration with its concrete path: `re_prompts[2].text`. */
export interface TemplateText {
  readonly path: string;
  readonly text: string;
}

type Part = string | number;

const partsOf = (path: string): readonly string[] => path.match(/\[\d*\]|[^.[\]]+/g) ?? [];

/** A field's texts in a configuration; empty if it has none. */
export function textsAt(config: unknown, field: TemplateField): readonly TemplateText[] {
  let open: { value: unknown; path: string }[] = [{ value: config, path: '' }];
  for (const part of partsOf(field.path)) {
    open = open.flatMap(({ value, path }) => {
      if (part === '[]')
        return Array.isArray(value) ? value.map((one, at) => ({ value: one, path: `${path}[${at}]` })) : [];
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
      if (part === '*')
        return Object.entries(value).map(([key, one]) => ({ value: one, path: `${path}.${key}` }));
      const inner = ownValue(value as Record<string, unknown>, part);
      if (inner === undefined) return [];
      return [{ value: inner, path: path === '' ? part : `${path}.${part}` }];
    });
  }
  return open.flatMap(({ value, path }) => (typeof value === 'string' ? [{ path, text: value }] : []));
}

/** A configuration with the texts at some paths replaced; unaffected parts are shared. */
export function withTexts<C>(config: C, texts: Readonly<Record<string, string>>): C {
  let result: unknown = config;
  for (const [path, text] of Object.entries(texts))
    result = replaced(
      result,
      partsOf(path).map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part)),
      text,
    );
  return result as C;
}

function replaced(value: unknown, path: readonly Part[], text: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return typeof value === 'string' ? text : value;
  if (Array.isArray(value)) return value.map((one, at) => (at === first ? replaced(one, rest, text) : one));
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, first)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === first ? replaced(one, rest, text) : one]),
  );
}
