import type { DeliveryTargetOf } from '@areas/deliveries/contract/target';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Sending, Undelivered } from '../../core/ports/store/deliveries';
import { WEBHOOK_MS } from '../../limits/core';

/** Maximum characters of a response's text in a message. */
const MOST_CHARACTERS = 200;
/** Statuses that blame this text, not the address or the time. */
const ABOUT_THE_TEXT: ReadonlySet<number> = new Set([400, 413, 415, 422]);
/** Statuses of a server that is unavailable, busy or rate-limiting. */
const FOR_A_WHILE: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Creates a function that posts JSON: `{text, kind, run, key}` and the content; the key also as
 * `Idempotency-Key`.
 */
export function createWebhookSender(secret: (name: string) => string | null) {
  return async (
    target: DeliveryTargetOf<'webhook'>,
    { key, text, content, run, cut }: Sending,
  ): Promise<Result<{ receipt: string }, Undelivered>> => {
    const value = target.secret === null ? null : secret(target.secret);
    if (target.secret !== null && value === null) return err(missing(target.secret));
    const gone = new AbortController();
    void cut.then(() => gone.abort());
    try {
      const answer = await fetch(target.url, {
        method: 'POST',
        // Redirects are not followed: nothing, and no secret, is sent elsewhere than the operator said.
        redirect: 'manual',
        signal: AbortSignal.any([gone.signal, AbortSignal.timeout(WEBHOOK_MS)]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Muster',
          'idempotency-key': key,
          ...(value === null ? {} : { [target.header]: value }),
        },
        body: JSON.stringify({ text, ...content, run, key }),
      });
      if (answer.ok) {
        // Accepted. The body is not awaited: it may never end, which would cause a resend.
        void answer.body?.cancel().catch(() => undefined);
        return ok({ receipt: `HTTP ${answer.status}` });
      }
      return err(refused(answer, await beginning(answer)));
    } catch (cause) {
      return err(unreached(target.url, cause));
    }
  };
}

const missing = (name: string): Undelivered => ({
  error: appError('secret.missing', `The secret ${name} is not in the keychain.`, {
    mend: 'Set it under Agents, Secrets.',
  }),
  concerns: 'target',
  again: true,
  afterMs: null,
});

function refused(answer: Response, body: string): Undelivered {
  const { status } = answer;
  const wait = Number(answer.headers.get('retry-after') ?? '');
  return {
    error: appError('unavailable', `The webhook answered HTTP ${status}${body === '' ? '' : `: ${body}`}.`),
    concerns: ABOUT_THE_TEXT.has(status) ? 'update' : 'target',
    again: status >= 500 || FOR_A_WHILE.has(status),
    afterMs: FOR_A_WHILE.has(status) && wait > 0 ? wait * 1000 : null,
  };
}

function unreached(url: string, cause: unknown): Undelivered {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const why = timedOut ? `no answer within ${WEBHOOK_MS / 1000} s` : wordsOf(cause);
  return {
    error: appError('unavailable', `The webhook at ${new URL(url).host} could not be reached: ${why}.`),
    concerns: 'target',
    again: true,
    afterMs: null,
  };
}

/** Node's fetch reports the reason in the error's cause. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const inner = fault.cause;
  if (inner instanceof Error) return 'code' in inner ? String(inner.code) : inner.message;
  return fault.message;
}

/** The start of a response in one line; the rest is not read. */
async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return '';
  try {
    const { value } = await reader.read();
    return new TextDecoder().decode(value).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
