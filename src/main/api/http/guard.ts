import type { IncomingMessage } from 'node:http';
import { secretEquals } from '../secret-equals';
import { badRequest, type Fault } from './fault';

/**
 * Web pages are always refused, whatever they know: a browser sends an Origin, and with DNS rebinding the
 * attacker's name as the Host.
 */
export function pageRefusal(request: IncomingMessage, port: number): Fault | null {
  const { host, origin } = request.headers;
  // Node keeps the first of several, and a program in between may look at another one.
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return badRequest('the request has several Host headers');
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return badRequest('the Host header is not this address', { status: 403, mend: `ask 127.0.0.1:${port}` });
  }
  if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    return badRequest('pages in a browser may not use this API', { status: 403 });
  }
  return null;
}

/** Whether the request carries the API's token. */
export function tokenRefusal({ headers: { authorization } }: IncomingMessage, secret: string): Fault | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined || !secretEquals(token, secret)) {
    return badRequest(token === undefined ? 'a token is required' : 'the token is wrong', {
      status: 401,
      mend: 'send "Authorization: Bearer TOKEN"; `muster api` shows the token',
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  return null;
}
