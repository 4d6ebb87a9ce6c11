import type { GateAnswer } from '@areas/gates/contract/gate';
import type { GateRow } from '@areas/gates/contract/procedures';
import type { GateService } from '@areas/gates/node/gate-service';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { MINUTE_MS } from '@contract/time-units';
import type { Store } from '@main/core/ports/store/store';
import { ANSWERABLE_MS } from '@main/limits/core';
import {
  type AnswerGiven,
  type AnswerInput,
  type AnswerOffer,
  answerableFrom,
  offeredToTarget,
} from '../contract/answer';
import type { DeliveryTarget } from '../contract/target';
import { type AnswerClaim, readToken, signAnswer } from './answer-token';

/** The source of keys for answer tokens. */
export interface AnswerKeys {
  /** The key that signs new tokens. */
  signing(): Promise<string>;
  /** All keys that may have signed tokens. */
  known(): readonly string[];
}

interface AnswerParts {
  readonly store: Pick<Store, 'runByUid' | 'gate'>;
  readonly gates: Pick<GateService, 'resolve'>;
  readonly targets: () => readonly DeliveryTarget[];
  readonly keys: AnswerKeys;
  readonly now: () => number;
  /** The address of the HTTP API; null if it is off. */
  readonly address: () => Promise<string | null>;
}
/** Maximum invalid tokens per minute, from all callers together. */
const MOST_FORGED = 20;
/** Maximum answers per minute to one question. */
const MOST_REPEATED = 20;

/** Who answered, as shown in history, window and command line. */
const answeredBy = ({ name }: Pick<DeliveryTarget, 'name'>): string => `${name} (delivery target)`;

/** Answers from delivery targets: creates the tokens, and resolves gates with them. */
export class AnswerService {
  private readonly forged = new AttemptLimit(MOST_FORGED);
  private readonly repeated = new Map<string, AttemptLimit>();

  constructor(private readonly parts: AnswerParts) {}

  /** How a target can answer this question; null if only Muster can. */
  async offer(
    target: DeliveryTarget,
    gate: GateRow,
    { runUid, queuedAt }: { readonly runUid: string; readonly queuedAt: number },
  ): Promise<AnswerOffer | null> {
    const expiresAt = queuedAt + ANSWERABLE_MS;
    const options = gate.options.filter(offeredToTarget).map(({ id }) => id);
    if (!answerableFrom(target.answers, gate.kind) || options.length === 0) return null;
    if (gate.event === undefined || this.parts.now() >= expiresAt) return null;
    const address = await this.parts.address();
    if (address === null) return null;
    const claim: AnswerClaim = {
      run: runUid,
      gate: gate.gateId,
      event: gate.event,
      target: target.id,
      options,
      expiresAt,
    };
    return {
      url: `${address}/answers`,
      options,
      expires: new Date(expiresAt).toISOString(),
      token: signAnswer(claim, await this.parts.keys.signing()),
    };
  }

  /**
   * Resolves the token's gate. The same answer with the same token gets the same reply, in case the first
   * reply was lost with the core.
   */
  async answer({ token, ...given }: AnswerInput): Promise<Result<AnswerGiven>> {
    const now = this.parts.now();
    const read = readToken(token, this.parts.keys.known());
    if (read.kind !== 'good') {
      return err(this.forged.passes(now) ? REFUSED[read.kind] : tooMany());
    }
    const { claim } = read;
    if (!this.attempts(claim, now).passes(now)) return err(tooMany());
    if (now >= claim.expiresAt) return err(expired());
    const target = this.parts.targets().find(({ id, enabled }) => id === claim.target && enabled);
    if (target === undefined) return err(noTarget());
    const gate = this.gateOf(claim);
    if (!gate.ok) return gate;
    if (!answerableFrom(target.answers, gate.value.kind)) return err(notAllowed(target));
    if (!claim.options.includes(given.option)) return err(notOffered(given.option, gate.value, claim));
    const { option, text, reason } = given;
    const answer: GateAnswer = {
      option,
      ...(text !== undefined && { text }),
      ...(reason !== undefined && { reason }),
    };
    return this.give(claim, { gate: gate.value, answer, by: answeredBy(target) });
  }

  private async give(claim: AnswerClaim, { gate, answer, by }: AnswerAt): Promise<Result<AnswerGiven>> {
    if (gate.status !== 'open') return standing(gate, { answer, by });
    const { runId, gateId } = gate;
    const done = await this.parts.gates.resolve({ runId, gateId, answer, by });
    if (done.ok) return ok(answerGiven(done.value, answer, by));
    if (done.error.code !== 'gate.already_resolved') return done;
    // Answered at the same moment by another, or by the same answer sent twice.
    const now = this.gateOf(claim);
    return now.ok ? standing(now.value, { answer, by }) : now;
  }

  /** The gate's current state, if it is still the same question. */
  private gateOf({ run, gate, event }: AnswerClaim): Result<GateRow> {
    const row = this.parts.store.runByUid(run);
    const found = row === null || row.binnedAt !== null ? null : this.parts.store.gate(row.id, gate);
    if (found === null || found.event !== event) {
      return fail('not_found', 'the question of this token no longer exists: its run was removed');
    }
    return ok(found);
  }

  private attempts({ run, gate }: AnswerClaim, now: number): AttemptLimit {
    for (const [name, limit] of this.repeated) if (limit.isIdle(now)) this.repeated.delete(name);
    const name = `${run}/${gate}`;
    const limit = this.repeated.get(name) ?? new AttemptLimit(MOST_REPEATED);
    this.repeated.set(name, limit);
    return limit;
  }
}

interface AnswerAt {
  readonly gate: GateRow;
  readonly answer: GateAnswer;
  readonly by: string;
}

/** Limits attempts per minute. */
class AttemptLimit {
  private since = 0;
  private count = 0;

  constructor(private readonly most: number) {}

  isIdle(now: number): boolean {
    return now - this.since >= MINUTE_MS;
  }

  passes(now: number): boolean {
    if (this.isIdle(now)) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count <= this.most;
  }
}

const labelOf = ({ options }: GateRow, option: string): string =>
  options.find(({ id }) => id === option)?.label ?? option;

const answerGiven = (gate: GateRow, { option }: GateAnswer, by: string): AnswerGiven => ({
  gate: `${gate.runId}/${gate.gateId}`,
  title: gate.title,
  option,
  label: labelOf(gate, option),
  by,
});

/** The reply for a closed question: an equal answer is confirmed again, a different one refused. */
function standing(gate: GateRow, { answer, by }: Omit<AnswerAt, 'gate'>): Result<AnswerGiven> {
  if (gate.status === 'withdrawn') {
    return fail('answer.withdrawn', 'the question was withdrawn; no answer is needed any more');
  }
  const { option, text, reason } = gate.answer ?? { option: '' };
  const isSame = option === answer.option && text === answer.text && reason === answer.reason;
  if (gate.by === by && isSame) return ok(answerGiven(gate, answer, by));
  const message = `the question was already answered with "${labelOf(gate, option)}" by ${gate.by ?? 'the operator'}`;
  return fail('answer.used', message, { mend: 'a token works once; nothing was changed' });
}

const REFUSED: Readonly<Record<'forged' | 'foreign', AppError>> = {
  forged: appError('answer.invalid', 'this is not an answer token of this Muster', {
    mend: 'send the token exactly as it was delivered',
  }),
  foreign: appError('answer.invalid', 'this token was signed with a key that is not available here', {
    mend: 'answer while the Muster that sent the question is running, or answer in Muster',
  }),
};
const expired = (): AppError =>
  appError('answer.expired', 'this token has expired', {
    mend: 'answer in the inbox, or with `muster gates`',
  });
const noTarget = (): AppError =>
  appError('answer.not_allowed', 'the delivery target of this token was removed or is switched off', {
    mend: 'answer in the inbox, or with `muster gates`',
  });
const notAllowed = ({ name }: DeliveryTarget): AppError =>
  appError('answer.not_allowed', `questions of this kind cannot be answered from ${name}`, {
    mend: 'answer in the inbox, or allow it for the target in Settings, Deliveries',
  });
const tooMany = (): AppError =>
  appError('answer.too_many', 'too many answers were tried', { mend: 'try again in a minute' });

function notOffered(option: string, gate: GateRow, { options }: AnswerClaim): AppError {
  const offered = options.map((id) => `${id} (${labelOf(gate, id)})`).join(', ');
  return appError('gate.bad_answer', `"${option}" was not offered`, {
    mend: `answer with one of: ${offered}`,
  });
}
