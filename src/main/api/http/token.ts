import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const apiTokenFile = (dataDir: string): string => join(dataDir, 'api-token');

const TOKEN = /^[0-9a-f]{64}$/;

/** The bearer token of the HTTP API: made once, then the same until its file is deleted. */
export function apiToken(dataDir: string): string {
  const file = apiTokenFile(dataDir);
  const known = readToken(file);
  if (known !== null) return known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const token = randomBytes(32).toString('hex');
  // Made by another process in this moment, or spoilt: what stands there then counts, if it is a token.
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const other = readToken(file);
    if (other !== null) return other;
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return token;
}

function readToken(file: string): string | null {
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (!TOKEN.test(token)) return null;
    chmodSync(file, 0o600);
    return token;
  } catch {
    return null;
  }
}
