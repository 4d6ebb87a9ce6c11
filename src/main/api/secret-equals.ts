import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that a token cannot be guessed by timing. */
export const secretEquals = (given: string, secret: string): boolean =>
  timingSafeEqual(digest(given), digest(secret));
