import type { Json } from '@contract/ids';
import { isMap } from '../../../../contract/change';

/**
 * A value as block-style YAML, for the clipboard. Files are never written with this function: edits preserve
 * their text.
 */
export const yamlText = (value: Json): string => `${block(value).join('\n')}\n`;

const STEP = '  ';

/** The lines of a value, without indentation. */
function block(value: Json): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item) => {
      const [first = '', ...more] = block(item);
      return [`- ${first}`, ...more.map(indented)];
    });
  if (isMap(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, inner]) => {
      const lines = block(inner);
      const [first = '', ...more] = lines;
      const nested = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0;
      return nested
        ? [`${text(key)}:`, ...lines.map(indented)]
        : [`${text(key)}: ${first}`, ...more.map(indented)];
    });
  return typeof value === 'string' ? scalar(value) : [JSON.stringify(value)];
}

const indented = (line: string): string => (line === '' ? '' : STEP + line);

/**
 * Lines that a literal block preserves: no invisible characters, and no leading space that would set the
 * indentation.
 */
const LITERAL = /^[^\s\p{C}][^\p{C}]*(?:\n[^\p{C}]*)*$/u;

function scalar(value: string): string[] {
  const [end] = /\n*$/.exec(value) ?? [''];
  if (end.length > 1 || !value.includes('\n') || !LITERAL.test(value) || /[\u2028\u2029]/.test(value))
    return [text(value)];
  const lines = value.slice(0, value.length - end.length).split('\n');
  return [end === '' ? '|-' : '|', ...lines];
}

/** Words that YAML does not parse as a string. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[A-Za-z_$][A-Za-z0-9_$./()-]*(?: [A-Za-z0-9_$./()-]+)*$/;

const text = (value: string): string =>
  PLAIN.test(value) && !WORDS.test(value)
    ? value
    : JSON.stringify(value).replace(
        /[\u007f-\u009f\u2028\u2029\ufeff]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
