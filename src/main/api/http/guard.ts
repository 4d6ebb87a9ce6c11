import type { IncomingMessage } from 'node:http';
import { secretEquals } from '../secret-equals';
import { badRequest, type Fault } from './fault';

/**
 * A page in a browser may never ask, whatever it knows: it sends an Origin, and through a name that was bent to this
 * machine (DNS rebinding) it sends that name as the Host.
 */
export function pageRefusal(request: IncomingMessage, port: number): Fault | null {
  const { host, origin } = request.headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return badRequest('the Host header is not this address', { status: 403, mend: `ask 127.0.0.1:${port}` });
  }
  if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    return badRequest('pages in a browser may not use this API', { status: 403 });
  }
  return null;
}

/** Whether the request carries the token of the API. */
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
