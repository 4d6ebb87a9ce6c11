import { z } from 'zod';

/** Tokens, as far as they can be known before the first call. */
export const questionEstimateSchema = z.lazy(() =>
  z.object({
    /** What the root model reads in its first call. */
    first: z.number().int(),
    /** What all calls of the root model read when every iteration is used: with short outputs, and with full ones. */
    least: z.number().int(),
    most: z.number().int(),
    /** What sub-calls read when every document is given to one of them once. */
    documents: z.number().int(),
  }),
);
export type QuestionEstimate = z.infer<typeof questionEstimateSchema>;

interface Known {
  /** Of the system text, the context metadata and the first prompt. */
  readonly openingChars: number;
  /** Of the prompt that ends each iteration. */
  readonly continueChars: number;
  readonly documentBytes: number;
  readonly iterations: number;
  readonly outputChars: number;
}

/** English text has about four characters to a token. */
const CHARS = 4;
/** A reply with one block: the model's words, its code, and the code repeated with its output. */
const REPLY_CHARS = 1_500;
const SHORT_OUTPUT = 500;

/** The root model reads the whole conversation in every iteration, so the sum grows with the square of their number. */
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
