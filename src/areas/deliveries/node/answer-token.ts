import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a token permits: one answer to one opening of one gate, by one target, until a time. */
const claimSchema = z.strictObject({
  /** The run's uid. */
  run: z.string(),
  gate: z.number().int(),
  /** The event that opened the gate: a gate with the same number in another history is another question. */
  event: z.number().int(),
  target: z.string(),
  options: z.array(z.string()),
  expiresAt: z.number().int(),
});
export type AnswerClaim = z.infer<typeof claimSchema>;

const PREFIX = 'muster1';
const FORM = /^muster1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** Identifies a key without revealing it. */
const keyId = (key: string): string =>
  createHash('sha256').update(`muster answer key ${key}`).digest('hex').slice(0, 8);

const signature = (key: string, signed: string): Buffer => createHmac('sha256', key).update(signed).digest();

/** The same claim gives the same token, so that a retried delivery carries the token of its first try. */
export function signAnswer(claim: AnswerClaim, key: string): string {
  const body = Buffer.from(JSON.stringify(claimSchema.parse(claim))).toString('base64url');
  const signed = `${PREFIX}.${keyId(key)}.${body}`;
  return `${signed}.${signature(key, signed).toString('base64url')}`;
}

/** `foreign`: signed with a key that this core does not have. */
type ReadToken =
  | { readonly kind: 'good'; readonly claim: AnswerClaim }
  | { readonly kind: 'forged' | 'foreign' };

/** Verifies the signature in constant time before reading anything else. */
export function readToken(token: string, keys: readonly string[]): ReadToken {
  const parts = FORM.exec(token);
  const [, id = '', body = '', mac = ''] = parts ?? [];
  if (parts === null) return { kind: 'forged' };
  const key = keys.find((one) => keyId(one) === id);
  if (key === undefined) return { kind: 'foreign' };
  const given = Buffer.from(mac, 'base64url');
  const right = signature(key, `${PREFIX}.${id}.${body}`);
  // Base64 has several encodings of some bytes: only Muster's own is accepted.
  if (given.length !== right.length || !timingSafeEqual(given, right)) return { kind: 'forged' };
  if (right.toString('base64url') !== mac) return { kind: 'forged' };
  const claim = claimSchema.safeParse(parsed(body));
  return claim.success ? { kind: 'good', claim: claim.data } : { kind: 'forged' };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
