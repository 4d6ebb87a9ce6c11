import { type CutText, isCut, type MarkedText } from '@contract/whole-text';
import { type WholeTexts, wholeOf } from '../../ports/whole-texts';

/** Terminal escape sequences, which are not part of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape sequences
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** The printed text, without its last line end. A plain search before the pattern costs a tenth of the pattern. */
export function plainText(output: string): string {
  const plain = output.includes('\u001b') ? output.replace(ESCAPES, '') : output;
  const lines = plain.includes('\r\n') ? plain.replaceAll('\r\n', '\n') : plain;
  return lines.endsWith('\n') ? lines.slice(0, -1) : lines;
}

/** A cut text as steps read it: its part is a string. */
export type ShownCut = CutText & { readonly shown: string };

/** A command's output as steps read it. A large one is kept as plain text. */
export function plainOutput(texts: Pick<WholeTexts, 'read'>, output: MarkedText): string | ShownCut {
  if (!isCut(output)) return typeof output === 'string' ? plainText(output) : texts.read(output);
  return { ...output, shown: plainText(wholeOf(texts, output.shown)) };
}
