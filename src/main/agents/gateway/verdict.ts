import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { TurnResult } from '../../core/ports/ports';
import { OVERLOADED_MS } from '../../limits/core';
import { failureClass } from '../failure-table';
import { type Endpoint, mendKey } from './endpoint';
import { limitResetsAt } from './reset-time';
import { CLIENT_TIMEOUTS, type Trouble } from './trouble';

type RequestVerdict = Pick<TurnResult, 'outcome' | 'stopReason' | 'error' | 'limitResetsAt'>;

const AUTH_TYPES = ['authentication_error', 'permission_error', 'invalid_api_key'];
const LIMIT_TYPES = ['rate_limit_error', 'rate_limit_exceeded', 'overloaded_error'];
/** Waiting does not help here: the operator must pay, or decide what to do. */
const SPENT_TYPES = ['insufficient_quota', 'billing_error'];
const REFUSAL_TYPES = ['content_filter', 'content_policy_violation'];
const BUSY = /overload|at capacity|server busy|too many requests/i;

/** May pass within seconds, and is retried: the only possible effect of the request is text. */
export const mayPass = ({ status, broken }: Trouble): boolean =>
  broken || status === 500 || status === 502 || status === 504;

/** A failed turn's meaning for the run: a limit to wait for, a missing login, a refusal, or a failure. */
export function judge(trouble: Trouble, endpoint: Endpoint, now: number): RequestVerdict {
  const hasType = (types: readonly string[]) => trouble.types.some((type) => types.includes(type));
  const { status, network } = trouble;
  const stopReason = trouble.types[0] ?? network ?? (status === null ? 'error' : `http_${status}`);
  const spent = status === 402 || hasType(SPENT_TYPES) || failureClass(trouble.message) === 'quota';
  const full =
    status === 529 ||
    status === 503 ||
    hasType(['overloaded_error']) ||
    (status !== 429 && failureClass(trouble.message) === 'overloaded');
  if (spent || isLimit(trouble) || hasType(LIMIT_TYPES)) {
    const code = spent ? 'agent.quota' : full ? 'agent.overloaded' : 'agent.limit';
    const mend = 'add credit at the provider, or use another profile or model; then send again';
    const error = appError(code, `${endpoint.address}: ${trouble.message}`, spent ? { mend } : {});
    const soon = full ? now + OVERLOADED_MS : null;
    const resetsAt = spent ? null : (limitResetsAt(trouble.headers, now) ?? soon);
    return { outcome: 'limit', stopReason, error, limitResetsAt: resetsAt };
  }
  const failed = (error: AppError, outcome: TurnResult['outcome'] = 'failed'): RequestVerdict => ({
    outcome,
    stopReason,
    error,
    limitResetsAt: null,
  });
  if (hasType(REFUSAL_TYPES)) return failed(appError('agent.refused', trouble.message), 'refused');
  if (status === 401 || status === 403 || hasType(AUTH_TYPES)) return failed(keyRefused(trouble, endpoint));
  if (trouble.broken) return failed(brokenOff(endpoint));
  if (network !== null || /bad port/.test(trouble.message)) return failed(unreachable(trouble, endpoint));
  return failed(otherwise(trouble, endpoint));
}

function isLimit({ status, headers, message }: Trouble): boolean {
  if (status === 503) return 'retry-after' in headers || BUSY.test(message);
  return status === 429 || status === 529 || (status === null && BUSY.test(message));
}

function keyRefused(trouble: Trouble, { profile, address }: Endpoint): AppError {
  const name = profile.api_key_secret;
  const message = `${address} rejects the ${name === undefined ? 'request without a key' : `key in ${name}`}`;
  return appError('agent.key_refused', `${message}: ${trouble.message}`, {
    mend: name === undefined ? `name a secret in api_key_secret of the profile ${profile.id}` : mendKey(name),
  });
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS; try http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak HTTPS; try http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ETIMEDOUT: 'there was no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no answer in time',
};

/** The server had started to answer, so it was reachable. */
export const brokenOff = ({ address }: Endpoint): AppError =>
  appError('agent.stream_broken', `the answer of ${address} was cut off`, {
    mend: 'this usually passes: resume the run',
  });

function unreachable(trouble: Trouble, { profile, address }: Endpoint): AppError {
  const network = trouble.network ?? '';
  if (CLIENT_TIMEOUTS.includes(network)) {
    const message = `${address} did not respond for five minutes`;
    return appError('agent.timeout', message, { mend: 'use a smaller prompt or a faster model' });
  }
  const foreign = network.startsWith('HPE_') ? 'the server there does not speak HTTP' : undefined;
  const why = ownValue(NETWORK, network) ?? foreign ?? trouble.message;
  const code = network === '' ? '' : ` (${network})`;
  return appError('agent.unreachable', `${address} cannot be reached: ${why}${code}`, {
    mend: `start the server, or correct base_url in the profile ${profile.id}`,
  });
}

function otherwise(trouble: Trouble, { profile, address, modelId }: Endpoint): AppError {
  const { status, message } = trouble;
  if (status === 404) {
    const mend = `check model (${modelId}) and base_url in the profile ${profile.id}`;
    return appError('agent.failed', `${address} does not know the model or the address: ${message}`, {
      mend,
    });
  }
  if (!trouble.reported) {
    const what = profile.api === 'openai' ? 'OpenAI-compatible' : 'Anthropic-compatible';
    return appError('agent.protocol', `${address} sent something other than a ${what} answer: ${message}`, {
      mend: `check api and base_url in the profile ${profile.id}`,
    });
  }
  return appError('agent.failed', `${address}: ${message}${status === null ? '' : ` (HTTP ${status})`}`);
}
