import type { OpenclawProfile } from '@areas/agents/contract/profile';
import type { AppError } from '@contract/errors';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { Clock } from '../../core/ports/ports';
import type { Reply } from './connection';
import { defaultLimits, type OpenclawLimits } from './limits';
import { Link } from './link';
import { mainKeyOf } from './names';
import { readPlace } from './place';
import { agentAnswerSchema, waitSchema } from './wire';

export interface Delivery {
  readonly profile: OpenclawProfile;
  readonly text: string;
  /** The same for each try of a delivery, so that the gateway accepts it once. */
  readonly idempotencyKey: string;
  /** Muster's session that the text comes from. */
  readonly sourceSessionKey?: string;
}

/** Why a text was not delivered, and whether a retry may help. */
export interface Undelivered {
  readonly error: AppError;
  readonly retryable: boolean;
  /** Milliseconds that the gateway asks to wait; null if it does not say. */
  readonly afterMs: number | null;
}

export interface DeliverParts {
  readonly secret: (name: string) => string | null;
  readonly clock: Clock;
  readonly limits?: OpenclawLimits;
}

/**
 * Creates a function that sends a text to the main session of a gateway's agent. Resolves when the gateway
 * has accepted it, not when its agent has answered. A gateway forgets its idempotency keys at a restart: if
 * its response was lost before that, a retry arrives a second time. Runs do not always start in order of
 * acceptance, so the previous text's run is awaited first, but at most `limits.waitMs`: a hanging session
 * does not block later texts.
 */
export function createDeliverToMain({ secret, clock, limits = defaultLimits }: DeliverParts) {
  /** The run of the previous text, for each target session. */
  const last = new Map<string, string>();
  return async (delivery: Delivery): Promise<Result<{ readonly runId: string }, Undelivered>> => {
    const place = readPlace(delivery.profile, secret);
    // A missing secret may be set a minute later.
    if (!place.ok) return err(undelivered(place.error, place.error.code === 'agent.auth_required'));
    const link = new Link({ place: place.value, clock, limits });
    try {
      const opened = await link.connect({ forMs: 0, away: false });
      if (!opened.ok) {
        const { error, again, afterMs } = opened.error;
        return err({ error, retryable: again !== 'never' || error.code === 'agent.auth_required', afterMs });
      }
      const connection = opened.value;
      const { text, idempotencyKey, sourceSessionKey } = delivery;
      const sessionKey = mainKeyOf(delivery.profile, connection.hello);
      const session = `${place.value.address} ${sessionKey}`;
      const before = last.get(session);
      if (before !== undefined && before !== idempotencyKey)
        await connection.request(
          'agent.wait',
          { runId: before, timeoutMs: limits.waitMs },
          { schema: waitSchema, withinMs: limits.waitMs + limits.answerMs },
        );
      const params = {
        sessionKey,
        message: text,
        idempotencyKey,
        deliver: false,
        // Written by agents, not the operator, and labelled so for the gateway's agent.
        inputProvenance: {
          kind: 'inter_session',
          sourceTool: 'muster',
          ...(sourceSessionKey === undefined ? {} : { sourceSessionKey }),
        },
      };
      const reply = await connection.request('agent', params, { schema: agentAnswerSchema });
      if (reply.kind === 'answer') last.set(session, reply.value.runId);
      return outcomeOf(reply, place.value.address);
    } finally {
      link.close();
    }
  };
}

function outcomeOf(
  reply: Reply<{ readonly runId: string }>,
  address: string,
): Result<{ readonly runId: string }, Undelivered> {
  switch (reply.kind) {
    case 'answer':
      return ok({ runId: reply.value.runId });
    case 'refused': {
      const { code, message, retryable = code === 'UNAVAILABLE', retryAfterMs = null } = reply.error;
      const error = appError('agent.failed', `${address} rejected the text: ${message} (${code})`);
      return err({ error, retryable, afterMs: retryAfterMs });
    }
    case 'lost':
      return err(undelivered(appError('agent.failed', `${address}: ${reply.why}`), true));
    case 'garbled':
      return err(undelivered(appError('agent.protocol', `${address}: ${reply.why}`), false));
  }
}

const undelivered = (error: AppError, retryable: boolean): Undelivered => ({
  error,
  retryable,
  afterMs: null,
});
