import { readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { ownValue } from '@contract/own';
import { type ProtocolRequest, type ProtocolResponse, protocol, type Session } from 'electron';

const SCHEME = 'app';
const HOST = 'muster';
export const appPage = `${SCHEME}://${HOST}/index.html`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/*
 * No Cross-Origin-Opener-Policy: with it Chromium discards its first renderer and creates another, and the
 * page cannot open windows anyway (hardening.ts).
 */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Call before the app is ready: the page's own scheme counts as a secure origin with paths. */
export function registerScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges }]);
}

/**
 * Serves the built page from its folder, and nothing else.
 *
 * Not with `protocol.handle`: a process's first web Response costs Node 30 ms, of a window's 250.
 */
export function servePage(session: Session, folder: string): void {
  const respond = ({ method, url }: ProtocolRequest): ProtocolResponse => {
    const file = method === 'GET' ? fileFor(url, folder) : null;
    const data = file === null ? null : contentOf(file);
    if (file === null || data === null)
      return { statusCode: 404, headers: HEADERS, data: Buffer.from('not found') };
    const type = ownValue(TYPES, extname(file)) ?? 'application/octet-stream';
    return { data, headers: { ...HEADERS, 'Content-Type': type } };
  };
  session.protocol.registerBufferProtocol(SCHEME, (request, answer) => answer(respond(request)));
}

/** Synchronous: a local file takes a fraction of a millisecond, but four turns of main's loop if awaited. */
function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** The file for an address, or null if it leads out of the folder or is not ours. */
export function fileFor(url: string, folder: string): string | null {
  let path: string;
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== `${SCHEME}:` || parsed.host !== HOST) return null;
    path = decodeURIComponent(parsed.pathname);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = join(folder, path === '/' ? 'index.html' : path);
  return file.startsWith(folder + sep) ? file : null;
}
