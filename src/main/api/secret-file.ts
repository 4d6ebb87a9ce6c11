import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const SECRET = /^[0-9a-f]{64}$/;

/** A random secret in a file readable only by this user: created once, and kept until the file is deleted. */
export function secretFile(file: string): string {
  const known = readSecretFile(file);
  if (known !== null) return known;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('hex');
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    // Another process has just created it, or it is damaged: a valid secret is used, anything else is
    // replaced.
    const other = readSecretFile(file);
    if (other !== null) return other;
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return secret;
}

/** Null if there is no such file, or it contains no valid secret. */
export function readSecretFile(file: string): string | null {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (!SECRET.test(secret)) return null;
    chmodSync(file, 0o600);
    return secret;
  } catch {
    return null;
  }
}
