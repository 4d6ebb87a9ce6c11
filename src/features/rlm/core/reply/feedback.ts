import { clip, lengthOf } from '@contract/text-length';
import { type Marker, wrapOutput } from '../untrusted';
import { fenced } from './fences';

/** The result of one block. */
export interface BlockResult {
  readonly code: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The exception as Python prints it; null if the block completed. */
  readonly error: string | null;
  /** Number of printed characters that were dropped. */
  readonly dropped: number;
  /** Names in the REPL afterwards, sorted. */
  readonly variables: readonly string[];
}

export interface FeedbackRules {
  readonly marker: Marker;
  /** Maximum characters (Unicode code points) of a block's output shown to the model. */
  readonly outputChars: number;
  /** `per-block`: one message per block, as in seed 001. `combined`: one message for all. */
  readonly feedback: 'per-block' | 'combined';
}

/** Maximum characters of a block's code that are repeated to the model, which has it in its own reply too. */
const ECHOED_CHARS = 20_000;

/** The messages that report the blocks' results to the model, in order. */
export function feedbackMessages(results: readonly BlockResult[], rules: FeedbackRules): string[] {
  const messages = results.map((result) => codeEcho(result, rules));
  return rules.feedback === 'combined' && messages.length > 1 ? [messages.join('\n\n')] : messages;
}

/** `Code executed:`, the code, its wrapped output and the REPL's names. */
export function codeEcho(result: BlockResult, { marker, outputChars }: FeedbackRules): string {
  const code = clip(result.code, ECHOED_CHARS);
  const cut = code.cut > 0 ? `\n# ... ${code.cut} more characters of code` : '';
  const names = result.variables.join(', ');
  return [
    `Code executed:\n${fenced('python', `${code.text}${cut}`)}`,
    wrapOutput(clippedOutput(outputOf(result), outputChars, result.dropped), marker),
    `REPL variables: [${names}]`,
  ].join('\n\n');
}

/** Standard output, then errors, each with its own label. */
export function outputOf({ stdout, stderr, error }: BlockResult): string {
  const parts = [
    stdout.trimEnd(),
    stderr.trim() === '' ? '' : `STDERR: ${stderr.trimEnd()}`,
    error === null ? '' : `ERROR: ${error.trimEnd()}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '(no output)' : parts.join('\n');
}

/** Keeps the beginning and states how much is missing, including the `dropped` characters. */
export function clippedOutput(output: string, most: number, dropped = 0): string {
  const { text, cut: clipped } = clip(output, most);
  const cut = clipped + dropped;
  if (cut === 0) return output;
  const total = lengthOf(text) + cut;
  return `${text}\n[Output cut: ${cut} of ${total} characters are not shown. Use llm_query on parts of the data instead of printing it.]`;
}
