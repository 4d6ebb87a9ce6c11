import type { CheckedClaim } from './events';
import type { RlmState } from './state';

/** The final verification: the second check of claims about code if it succeeded, else the first. */
export function verifiedClaims({ verification, codeVerification }: RlmState): readonly CheckedClaim[] {
  return codeVerification?.trouble === null && codeVerification.claims.length > 0
    ? codeVerification.claims
    : (verification?.claims ?? []);
}
