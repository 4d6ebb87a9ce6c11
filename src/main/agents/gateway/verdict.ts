import { type AppError, appError } from '@contract/errors';
import { own } from '@contract/own';
import type { TurnResult } from '../../core/ports/ports';
import { type Endpoint, mendKey } from './endpoint';
import { limitResetsAt } from './reset-time';
import type { Trouble } from './trouble';

type Verdict = Pick<TurnResult, 'outcome' | 'stopReason' | 'error' | 'limitResetsAt'>;

const AUTH_TYPES = ['authentication_error', 'permission_error', 'invalid_api_key'];
const LIMIT_TYPES = ['rate_limit_error', 'rate_limit_exceeded', 'overloaded_error'];
/** No waiting ends these: the operator has to pay, or to say what then. */
const SPENT_TYPES = ['insufficient_quota', 'billing_error'];
const REFUSAL_TYPES = ['content_filter', 'content_policy_violation'];
const BUSY = /overload|at capacity|server busy|too many requests/i;

/** The HTTP client of Node gives up by itself after five minutes without a byte. */
const CLIENT_TIMEOUTS = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** What a failed turn is to the run: a limit to wait for, a missing login, a refusal, or a failure. */
export function judge(trouble: Trouble, endpoint: Endpoint, now: number): Verdict {
  const said = (types: readonly string[]) => trouble.types.some((type) => types.includes(type));
  const { status, network } = trouble;
  const stopReason = trouble.types[0] ?? network ?? (status === null ? 'error' : `http_${status}`);
  const spent = status === 402 || said(SPENT_TYPES);
  if (spent || isLimit(trouble) || said(LIMIT_TYPES)) {
    const error = appError('agent.limit', `${endpoint.address}: ${trouble.message}`);
    const resetsAt = spent ? null : limitResetsAt(trouble.headers, now);
    return { outcome: 'limit', stopReason, error, limitResetsAt: resetsAt };
  }
  const failed = (error: AppError, outcome: TurnResult['outcome'] = 'failed'): Verdict => ({
    outcome,
    stopReason,
    error,
    limitResetsAt: null,
  });
  if (said(REFUSAL_TYPES)) return failed(appError('agent.refused', trouble.message), 'refused');
  if (status === 401 || status === 403 || said(AUTH_TYPES)) return failed(keyRefused(trouble, endpoint));
  if (network !== null) return failed(unreachable(trouble, endpoint));
  return failed(otherwise(trouble, endpoint));
}

function isLimit({ status, headers, message }: Trouble): boolean {
  if (status === 503) return 'retry-after' in headers || BUSY.test(message);
  return status === 429 || status === 529 || (status === null && BUSY.test(message));
}

function keyRefused(trouble: Trouble, { profile, address }: Endpoint): AppError {
  const name = profile.api_key_secret;
  const message = `${address} refuses the ${name === undefined ? 'request without a key' : `key in ${name}`}`;
  return appError('agent.auth_required', `${message}: ${trouble.message}`, {
    mend: name === undefined ? `name a secret in api_key_secret of the profile ${profile.id}` : mendKey(name),
  });
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  ETIMEDOUT: 'there was no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no answer in time',
};

function unreachable(trouble: Trouble, { profile, address }: Endpoint): AppError {
  const network = trouble.network ?? '';
  if (CLIENT_TIMEOUTS.includes(network)) {
    const message = `${address} was silent for five minutes`;
    return appError('agent.timeout', message, { mend: 'use a smaller prompt or a faster model' });
  }
  const why = own(NETWORK, network) ?? trouble.message;
  return appError('agent.failed', `${address} cannot be reached: ${why} (${network})`, {
    mend: `start the server, or mend base_url in the profile ${profile.id}`,
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
  if (!trouble.told) {
    const what = profile.api === 'openai' ? 'OpenAI-compatible' : 'Anthropic-compatible';
    return appError('agent.protocol', `${address} sent what is no ${what} answer: ${message}`, {
      mend: `check api and base_url in the profile ${profile.id}`,
    });
  }
  return appError('agent.failed', `${address}: ${message}${status === null ? '' : ` (HTTP ${status})`}`);
}
