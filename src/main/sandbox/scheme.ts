import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '@contract/own';
import type { Session } from 'electron';
import { WALLS } from './walls';

const SCHEME = 'muster-repl';
const HOST = 'page';
export const REPL_ORIGIN = `${SCHEME}://${HOST}`;

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript',
  'worker.js': 'text/javascript',
  'pyodide.mjs': 'text/javascript',
  'pyodide.asm.mjs': 'text/javascript',
  'pyodide.asm.wasm': 'application/wasm',
  'python_stdlib.zip': 'application/zip',
  'python.gz': 'application/gzip',
  'pyodide-lock.json': 'application/json',
};

/** On every response, because a worker's policy comes from its own response. */
const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** For an app that registers several schemes, which is only possible in one call. */
export const replScheme: Electron.CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
};

/**
 * Serves each of a REPL's files once. After its start nothing more can be loaded: a second worker, with its
 * own fresh globals, would get no script.
 */
export function serveRepl(session: Session, folder: string): void {
  const remaining = new Set(Object.keys(TYPES));
  const headers = WALLS.policy ? { ...HEADERS, 'Content-Security-Policy': POLICY } : HEADERS;
  // Only if sessions are shared (walls.ts).
  if (session.protocol.isProtocolHandled(SCHEME)) session.protocol.unhandle(SCHEME);
  session.protocol.handle(SCHEME, ({ url, method }) => {
    const { host, pathname } = new URL(url);
    const name = pathname.slice(1);
    const type = remaining.has(name) ? ownValue(TYPES, name) : undefined;
    if (method !== 'GET' || host !== HOST || type === undefined)
      return new Response('', { status: 404, headers });
    if (WALLS.seal) remaining.delete(name);
    return new Response(readFileSync(join(folder, name)), { headers: { ...headers, 'Content-Type': type } });
  });
}
