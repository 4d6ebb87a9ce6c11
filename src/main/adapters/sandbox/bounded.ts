import type { ExecResult } from '@contract/sandbox/protocol';
import { clip } from '@contract/text-length';

/** Maximum characters of an answer from a block or variable, which is stored with the run and shown whole. */
const ANSWER_CHARS = 1_000_000;
const NAMES = 1_000;
const NAME_CHARS = 200;

/** Truncates an answer to a size that can be stored, and says so at its end. */
export function boundedAnswer(text: string): string {
  const { text: kept, cut } = clip(text, ANSWER_CHARS);
  return cut === 0 ? text : `${kept}\n[The answer is cut: ${cut} more characters are not kept.]`;
}

/** Truncates a result to the configured size, whatever the sandbox's process sends. */
export function boundedResult(result: ExecResult, outputChars: number): ExecResult {
  const stdout = clip(result.stdout, outputChars);
  const stderr = clip(result.stderr, outputChars);
  // Keeps a traceback's end, with a note in front.
  const error = result.error === null ? null : clip(result.error, outputChars + 100).text;
  const { final } = result;
  return {
    ...result,
    stdout: stdout.text,
    stderr: stderr.text,
    error,
    dropped: result.dropped + stdout.cut + stderr.cut,
    final: final === null ? null : { ...final, text: boundedAnswer(final.text) },
    variables: result.variables.slice(0, NAMES).map((name) => name.slice(0, NAME_CHARS)),
  };
}
