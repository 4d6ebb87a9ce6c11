import {
  type FoundReference,
  type Reference,
  referenceAt,
  SCOPED,
  written,
} from '../../core/reference/reference';
import { scanScript } from '../../core/reference/script/scan';
import type { Precedence } from './graph';

/** What a converted text may refer to. */
export interface TextNames {
  /** Ids of the nodes in the same list, by the foreign file's id. */
  readonly ids: ReadonlyMap<string, string>;
  readonly inputs: ReadonlySet<string>;
  readonly variables: readonly string[];
  /** The input that replaces ARGUMENTS; null if it stays. */
  readonly argument: string | null;
  /** Makes a step precede this one, unless that would create a cycle. */
  needs(id: string): Precedence;
  /** Whether a step's output can have a field. */
  hasField(id: string, field: string): boolean;
}

export interface ConvertedText {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Renames references, and escapes those that would refer to nothing. */
export function convertText(given: string, names: TextNames): ConvertedText {
  const notes = new Set<string>();
  const text = renamed(given, notes);
  return { text: withReferences(text, (found) => replaced(found, names, notes)), notes: [...notes] };
}

/** The text with each reference in another form. */
export function withReferences(text: string, change: (found: FoundReference) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(at + 1, from))) {
    const found = referenceAt(text, at);
    if (found === null) continue;
    parts.push(text.slice(from, at), change(found));
    from = found.end;
  }
  return parts.join('') + text.slice(from);
}

/** Archon variables that have another name here, or none. */
function renamed(text: string, notes: Set<string>): string {
  for (const [variable] of text.matchAll(
    /\$(?:STATE_DIR|CONTEXT|EXTERNAL_CONTEXT|ISSUE_CONTEXT)(?![A-Za-z0-9_])/g,
  ))
    notes.add(`${variable} has no counterpart`);
  return text.replace(/\$USER_MESSAGE(?![A-Za-z0-9_])/g, () => {
    notes.add('$USER_MESSAGE is $ARGUMENTS');
    return '$ARGUMENTS';
  });
}

function replaced({ reference }: FoundReference, names: TextNames, notes: Set<string>): string {
  const literal = (why: string): string => {
    notes.add(`${written(reference)} is written literally: ${why}`);
    return `\\${written(reference)}`;
  };
  switch (reference.kind) {
    case 'output':
    case 'status': {
      const id = names.ids.get(reference.step);
      if (id === undefined) return literal('no step has this id');
      const precedence = reference.previous ? 'already' : names.needs(id);
      if (precedence === 'impossible') return literal('the step does not come before');
      if (precedence === 'added') notes.add(`it waits for ${id}, because it refers to its output`);
      if (reference.kind === 'output' && reference.field !== null && !names.hasField(id, reference.field))
        return literal('the output_format of the step declares no such field');
      return written({ ...reference, step: id } as Reference);
    }
    case 'error':
      return literal('only Muster has the error of a step');
    case 'input':
      return names.inputs.has(reference.name) ? written(reference) : literal('there is no such input');
    case 'variable': {
      if (reference.name === 'ARGUMENTS' && names.argument !== null)
        return written({ kind: 'input', name: names.argument });
      const scoped = (SCOPED as readonly string[]).includes(reference.name);
      return !scoped || names.variables.includes(reference.name)
        ? written(reference)
        : literal('it has no value in this text');
    }
  }
}

/**
 * A script: references in single quotes are moved out of them, because the shell does not expand them there.
 */
export function convertScript(given: string, names: TextNames): ConvertedText {
  const notes = new Set<string>();
  const script = guarded(renamed(given, notes), notes);
  const parts: string[] = [];
  let from = 0;
  for (const { found, quoting } of scanScript(script)) {
    const name = replaced(found, names, notes);
    const literal = name.startsWith('\\');
    parts.push(script.slice(from, found.start));
    if (literal) parts.push(name);
    else if (quoting === 'single') {
      notes.add(`${name} is taken out of its single quotes`);
      parts.push(`'"${name}"'`);
    } else parts.push(name);
    from = found.end;
  }
  return { text: parts.join('') + script.slice(from), notes: [...notes] };
}

/** Without a value, `"$STATE_DIR/x"` would be `/x`: the script ends instead. */
function guarded(script: string, notes: Set<string>): string {
  if (!/\$\{?STATE_DIR(?![A-Za-z0-9_])/.test(script)) return script;
  notes.add('it fails until STATE_DIR is set, for example in env of the step');
  return `: "\${STATE_DIR:?has no counterpart in Muster; set it in env of the step}"\n${script}`;
}

/** A condition: `$id.field` is short for `$id.output.field`. */
export function convertCondition(when: string, names: TextNames): ConvertedText {
  const notes: string[] = [];
  const long = when.replace(
    /\$([A-Za-z_][A-Za-z0-9_-]*)\.(?!output\b|status\b)([A-Za-z_][A-Za-z0-9_]*)/g,
    (whole, id: string, field: string) => {
      if (id === 'INPUTS') return whole;
      notes.push(`${whole} is written as $${id}.output.${field}`);
      return `$${id}.output.${field}`;
    },
  );
  const converted = convertText(long, names);
  return { text: converted.text, notes: [...notes, ...converted.notes] };
}
