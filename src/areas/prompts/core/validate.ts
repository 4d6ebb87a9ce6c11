import type { Problem } from '@contract/errors';
import type { PromptSchema } from '../contract/schema';
import { parseTemplate, type TemplatePiece } from './template';

type TextPosition = { readonly line: number; readonly column?: number };

/** Creates the problems of one file. */
type Finder = (
  code: Problem['code'],
  place: TextPosition,
  words: { readonly message: string; readonly mend: string },
) => Problem;

/**
 * Control characters except tab and line breaks: programs reject them in an argument, and terminals interpret
 * them.
 */
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code === 0x7f;

/**
 * All problems of a text, by line: missing, unknown or malformed placeholders, missing key phrases, empty or
 * too long text. `file` is the path shown to the operator. Missing parts are reported at the last line, where
 * they can be added.
 */
export function validatePrompt(schema: PromptSchema, text: string, file: string): Problem[] {
  const find: Finder = (code, place, { message, mend }) => ({
    code,
    severity: 'error',
    message,
    mend,
    where: { file, ...place },
  });
  if (text.trim() === '') {
    const mend = 'write the text, or delete the file';
    return [find('validation.prompt_text', { line: 1 }, { message: 'the text is empty', mend })];
  }
  const pieces = parseTemplate(text);
  return [
    ...badPlaceholders(schema, pieces, find),
    ...missingPlaceholders(schema, pieces, find),
    ...missingPhrases(schema, pieces, find),
    ...badLength(schema, text, find),
    ...badCharacters(text, find),
  ].sort((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0));
}

const braced = (name: string): string => `{${name}}`;

function badPlaceholders(schema: PromptSchema, pieces: readonly TemplatePiece[], find: Finder): Problem[] {
  const known = schema.placeholders.map(({ name }) => braced(name)).join(', ');
  const mend = `the placeholders here are ${known || 'none'}; write a literal brace twice: {{ or }}`;
  return pieces.flatMap(({ kind, raw, value, line, column }) => {
    if (kind === 'wrong') {
      const message = value === null ? `a ${raw} is unpaired` : `${shortened(raw)} is no placeholder`;
      return [find('validation.prompt_placeholder', { line, column }, { message, mend })];
    }
    if (kind !== 'placeholder' || schema.placeholders.some(({ name }) => name === value)) return [];
    const message = `there is no placeholder ${shortened(raw)}`;
    return [find('validation.prompt_placeholder', { line, column }, { message, mend })];
  });
}

const SHOWN = 40;
const shortened = (raw: string): string => (raw.length > SHOWN ? `${raw.slice(0, SHOWN)}…` : raw);

function missingPlaceholders(
  schema: PromptSchema,
  pieces: readonly TemplatePiece[],
  find: Finder,
): Problem[] {
  const named = new Set(pieces.filter(({ kind }) => kind === 'placeholder').map(({ value }) => value));
  return schema.placeholders
    .filter(({ name, required }) => required && !named.has(name))
    .map(({ name, says }) => {
      const message = `the placeholder ${braced(name)} is missing`;
      return find('validation.prompt_placeholder', endOf(pieces), {
        message,
        mend: `add ${braced(name)}: ${says}`,
      });
    });
}

function missingPhrases(schema: PromptSchema, pieces: readonly TemplatePiece[], find: Finder): Problem[] {
  const text = flowing(
    pieces.map(({ kind, raw, value }) => (kind === 'brace' ? (value ?? '') : raw)).join(''),
  );
  return schema.keyPhrases
    .filter((phrase) => !text.includes(flowing(phrase)))
    .map((phrase) =>
      find('validation.prompt_text', endOf(pieces), {
        message: `the words “${phrase}” are missing`,
        mend: 'restore them exactly: Muster relies on what they tell agents',
      }),
    );
}

/** Ignores line breaks within a paragraph. */
const flowing = (text: string): string => text.replace(/\s+/g, ' ');

/** The last line that is not blank. */
function endOf(pieces: readonly TemplatePiece[]): TextPosition {
  const text = pieces.map(({ raw }) => raw).join('');
  return { line: text.trimEnd().split('\n').length };
}

function badLength({ maxLength }: PromptSchema, text: string, find: Finder): Problem[] {
  if (text.length <= maxLength) return [];
  const line = text.slice(0, maxLength).split('\n').length;
  const message = `the text has ${text.length} characters; at most ${maxLength} are allowed`;
  return [find('validation.prompt_text', { line }, { message, mend: 'shorten it' })];
}

function badCharacters(text: string, find: Finder): Problem[] {
  const lines = text.split('\n').flatMap((line, index) => {
    const at = line.split('').findIndex((char) => isControl(char.charCodeAt(0)));
    return at < 0 ? [] : [{ line: index + 1, column: at + 1 }];
  });
  const words = { message: 'the line contains a control character', mend: 'delete it' };
  return lines.map((place) => find('validation.prompt_text', place, words));
}
