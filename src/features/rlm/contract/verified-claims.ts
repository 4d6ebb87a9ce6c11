import type { CheckedClaim } from './events';
import type { RlmState } from './state';

/** What counts in the end: the second look at claims about code where it worked, else the first. */
export function verifiedClaims({ verification, codeVerification }: RlmState): readonly CheckedClaim[] {
  return codeVerification?.trouble === null && codeVerification.claims.length > 0
    ? codeVerification.claims
    : (verification?.claims ?? []);
}
