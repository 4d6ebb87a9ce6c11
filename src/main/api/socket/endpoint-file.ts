import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type SocketEndpoint, socketEndpointSchema } from '@contract/system/host';
import { parseLine } from './lines';

/** Written atomically and readable only by its owner. */
export function writeEndpoint(file: string, endpoint: SocketEndpoint): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${JSON.stringify(endpoint)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

/** Null if there is none, or it is invalid: then no core can be reached through it. */
export function readEndpoint(file: string): SocketEndpoint | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  return socketEndpointSchema.safeParse(parseLine(text)).data ?? null;
}

/** Only if it is still this core's: another may have written its own meanwhile. */
export function removeEndpoint(file: string, token: string): void {
  if (readEndpoint(file)?.token === token) rmSync(file, { force: true });
}
