import { whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import type { z } from 'zod';

/** Estimated tokens, before the first call. */
export const questionEstimateSchema = lazyObject(() => ({
  /** Tokens that the root model reads in its first call. */
  first: whole(),
  /** Tokens read by all root calls if every iteration is used: with short outputs, and with full ones. */
  least: whole(),
  most: whole(),
  /** Tokens read by sub-calls if each document is sent to one of them once. */
  documents: whole(),
}));
type QuestionEstimate = z.infer<typeof questionEstimateSchema>;

interface Known {
  /** Characters of the system text, context metadata and first prompt. */
  readonly openingChars: number;
  /** Characters of the prompt that ends each iteration. */
  readonly continueChars: number;
  readonly documentBytes: number;
  readonly iterations: number;
  readonly outputChars: number;
}

/** English text has about four characters per token. */
const CHARS = 4;
/** Characters of a reply with one block: text, code, and the code repeated with its output. */
const REPLY_CHARS = 1_500;
const SHORT_OUTPUT = 500;

/**
 * The root model reads the whole conversation in every iteration, so the total grows with the square of their
 * number.
 */
export function estimateOf(known: Known): QuestionEstimate {
  const { openingChars, continueChars, documentBytes, iterations, outputChars } = known;
  const sum = (output: number): number => {
    const round = REPLY_CHARS + REPLY_CHARS / 2 + output + continueChars;
    return iterations * openingChars + ((iterations * (iterations - 1)) / 2) * round;
  };
  const tokens = (chars: number): number => Math.ceil(chars / CHARS);
  return {
    first: tokens(openingChars),
    least: tokens(sum(Math.min(SHORT_OUTPUT, outputChars))),
    most: tokens(sum(outputChars)),
    documents: tokens(documentBytes),
  };
}
