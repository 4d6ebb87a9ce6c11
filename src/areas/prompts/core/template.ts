import type { PromptPiece } from '../contract/procedures';

/** A part of a template, with its meaning and position. */
export interface TemplatePiece extends PromptPiece {
  /**
   * `placeholder`: its name. `wrong`: the text between the braces, null for a single brace. Otherwise the
   * text.
   */
  readonly value: string | null;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** `{{` and `}}` are literal braces; any other pair of braces on one line must be a placeholder. */
const MARK = /\{\{|\}\}|\{([^{}\r\n]*)\}|[{}]/g;
const NAME = /^([a-z][a-z0-9_]*)(:,)?$/;

/**
 * Parses a template in one pass: `{name}` is a placeholder, `{{` and `}}` are literal braces, everything else
 * is text. The syntax is Python's `str.format` without conversions, as in the prompt files of seed 001;
 * `{name:,}` adds thousands separators. All `raw` concatenated are the text.
 */
export function parseTemplate(text: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  const place = { line: 1, column: 1 };
  const add = (kind: PromptPiece['kind'], raw: string, value: string | null): void => {
    if (raw === '') return;
    pieces.push({ kind, raw, value, ...place });
    const breaks = raw.split('\n').length - 1;
    place.line += breaks;
    place.column = breaks === 0 ? place.column + raw.length : raw.length - raw.lastIndexOf('\n');
  };
  let at = 0;
  for (const mark of text.matchAll(MARK)) {
    const [raw, inside] = mark;
    const before = text.slice(at, mark.index);
    add('text', before, before);
    if (raw === '{{' || raw === '}}') add('brace', raw, raw.slice(1));
    else if (inside !== undefined && NAME.test(inside)) add('placeholder', raw, inside.replace(':,', ''));
    else add('wrong', raw, inside ?? null);
    at = mark.index + raw.length;
  }
  const rest = text.slice(at);
  add('text', rest, rest);
  return pieces;
}
