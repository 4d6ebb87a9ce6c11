import type { OpenclawProfile } from '@contract/catalog/profile';
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
  /** The same for each try of the same delivery: the gateway then takes it once. */
  readonly idempotencyKey: string;
  /** The session of Muster that the text comes from. */
  readonly sourceSessionKey?: string;
}

/** Why a text did not arrive, and whether trying again may help. */
export interface Undelivered {
  readonly error: AppError;
  readonly retryable: boolean;
  /** Milliseconds that the gateway asks to wait; null where it does not say. */
  readonly afterMs: number | null;
}

export interface DeliverParts {
  readonly secret: (name: string) => string | null;
  readonly clock: Clock;
  readonly limits?: OpenclawLimits;
}

/**
 * Makes a function that gives a text to the main session of a gateway's agent and resolves when the gateway has taken
 * it, not when its agent has answered. The gateway forgets its idempotency keys when it restarts: where it took the
 * text, its answer was lost and it was then restarted, a second try arrives a second time. A run that was taken first is
 * not always begun first, so the text before is waited for until its run has ended, but for `limits.waitMs` at most: a
 * session that hangs keeps no later text back.
 */
export function createDeliverToMain({ secret, clock, limits = defaultLimits }: DeliverParts) {
  /** The run of the text before, for each session that is written to. */
  const last = new Map<string, string>();
  return async (delivery: Delivery): Promise<Result<{ readonly runId: string }, Undelivered>> => {
    const place = readPlace(delivery.profile, secret);
    // A secret that is not there now may be set a minute later.
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
        // Agents and not the operator wrote it, and so the gateway's agent is told.
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
