import { createHash } from 'node:crypto';

/** Identifies exactly this content: what is sent must be what was shown. */
export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
