import { appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { err, ok, type Result } from '@contract/result';
import { clip } from '@contract/text-length';
import { z } from 'zod';
import { claimFlags, claimVerdicts } from '../contract/claims';
import type { CheckedClaim } from '../contract/events';
import type { RlmState } from '../contract/state';
import { verifiedClaims } from '../contract/verified-claims';

const MOST_CLAIMS = 50;
const MOST_CHARS = 2_000;

const flag = z.enum(claimFlags);
/** Unknown flags are dropped. */
const flags = z
  .array(z.unknown())
  .catch([])
  .default([])
  .transform((given) => given.flatMap((one) => flag.safeParse(one).data ?? []));

const short = z.string().transform((text) => clip(text.trim(), MOST_CHARS).text);
const replySchema = lazyObject(() => ({
  claims: z.array(
    z
      .object({ claim: short, verdict: z.enum(claimVerdicts), reason: short.catch('').default(''), flags })
      .transform(({ flags: known, ...claim }) => (known.length === 0 ? claim : { ...claim, flags: known })),
  ),
}));

const NOT_READ = appError(
  'step.failed',
  'the reply of the model that checks it is not the list of claims that was asked for',
);

/** Parses the verifying model's reply: JSON, alone or within text. */
export function readClaims(reply: string): Result<CheckedClaim[]> {
  const from = reply.indexOf('{');
  const to = reply.lastIndexOf('}');
  if (from < 0 || to < from) return err(NOT_READ);
  try {
    const read = replySchema.safeParse(JSON.parse(reply.slice(from, to + 1)));
    return read.success ? ok(read.data.claims.slice(0, MOST_CLAIMS)) : err(NOT_READ);
  } catch {
    return err(NOT_READ);
  }
}

const isDoubted = ({ verdict }: CheckedClaim): boolean =>
  verdict === 'unsupported' || verdict === 'contradicted';

/** File extensions of source code. */
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|pl|pm|t|go|rs|java|kt|scala|c|h|cc|cpp|hpp|cs|swift|m|php|lua|ex|exs|erl|hs|clj|sh|bash|sql|vue|svelte|dart|r|jl|zig)$/iu;

/** More than half of the documents are source code. */
export const isMostlyCode = (names: readonly string[]): boolean =>
  2 * names.filter((name) => CODE.test(name)).length > names.length;

/** The second model's objections to the answer, in words for the operator. */
export function verificationWarnings(state: RlmState): string[] {
  const { verification } = state;
  if (verification === null) return [];
  if (verification.trouble !== null) return [`The answer was not verified: ${verification.trouble}.`];
  const doubted = verifiedClaims(state).filter(isDoubted).length;
  if (doubted === 0) return [];
  return [
    `${doubted === 1 ? 'One claim' : `${doubted} claims`} of the answer did not stand up to ${verification.model}.`,
  ];
}

/** For the receipt; null if no verification was requested. */
export function verificationJson(state: RlmState): Json {
  const { verification, codeVerification } = state;
  if (verification === null) return null;
  const { trouble, model } = verification;
  return {
    verified: trouble === null,
    trouble,
    model,
    ...(codeVerification === null
      ? {}
      : { code: { verified: codeVerification.trouble === null, trouble: codeVerification.trouble } }),
    claims: verifiedClaims(state).map(({ flags, ...one }) =>
      flags === undefined ? one : { ...one, flags: [...flags] },
    ),
  };
}
