import type { PermissionRules } from '@areas/permissions/node/permission-rules';
import { type AppError, appError } from '@contract/errors';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import type { Engine } from '@main/core/engine/engine';
import type { NewRule } from '@main/core/ports/rules';
import type { Store } from '@main/core/ports/store/store';
import { type GateAnswer, type GateOption, missingWords } from '../contract/gate';
import { askedBefore } from '../contract/previous-answer';
import type { GateRow } from '../contract/procedures';

type Alike = ProcedureOutput<'gate.resolveAlike'>;

interface GateParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly rules: PermissionRules;
  /** The current state of a run, live or from the log; null if there is none. */
  readonly state: (runId: number) => RunState | null;
  /** Whether an answer holds for the changes that the gate shows. */
  readonly confirm: (
    runId: number,
    gateId: number,
    shown: readonly string[] | undefined,
  ) => Promise<Result<void>>;
  /** Reports a change of a gate that has no event. */
  readonly changed: (runId: number, gateId: number) => void;
}

/** Answers gates. An answer is an event: it counts from its commit on. */
export class GateService {
  constructor(private readonly parts: GateParts) {}

  /**
   * The first answer counts; a second one is refused, with the first in the error. A rule made with the
   * answer is committed together with it.
   */
  async resolve(input: ParsedInput<'gate.resolve'>): Promise<Result<GateRow>> {
    const { runId, gateId, by } = input;
    const made = this.ruleFor(input);
    if (!made.ok) return made;
    const rule = made.value;
    const { rule: _, ...given } = input.answer;
    const answer: GateAnswer = rule === null ? given : { ...given, rule: rule.id };
    const beside = rule === null ? {} : { rule };
    const gate = this.parts.state(runId)?.gates[gateId];
    const option = gate?.options.find(({ id }) => id === input.answer.option);
    // A rejection holds whatever was shown.
    if (gate?.status === 'open' && option !== undefined && option.tone !== 'reject') {
      const holds = await this.parts.confirm(runId, gateId, input.shown);
      if (!holds.ok) return holds;
    }
    const resolve = ({ state }: { readonly state: RunState }): Result<RunEvent[]> => {
      const refusal = refusalOf(state.gates[gateId], input);
      return refusal === null ? ok([{ type: 'gate.resolved', gateId, answer, by }]) : err(refusal);
    };
    const done = await this.parts.engine.command(runId, resolve, beside);
    if (rule !== null) this.parts.rules.kept();
    if (!done.ok) return done;
    return this.row(runId, gateId);
  }

  /** The previous answer to the same question. */
  before(runId: number, gateId: number): ProcedureOutput<'gate.before'> {
    const state = this.parts.state(runId);
    return { before: state === null ? null : askedBefore(state, gateId) };
  }

  /**
   * Gives the same answer to questions of one cause, one after the other. A gate answered meanwhile, or with
   * another cause, is refused; the others are answered all the same.
   */
  async resolveAlike(input: ParsedInput<'gate.resolveAlike'>): Promise<Result<Alike>> {
    const { gates, answer, by } = input;
    if (answer.option === 'allow_rule') {
      const mend = 'Allow each by a rule of its own, or allow them all once.';
      return fail('input.invalid', 'a rule can be added at one gate only', { mend });
    }
    const rows = gates.map(({ runId, gateId }) => this.parts.store.gate(runId, gateId));
    const cause = rows.find((row) => row !== null)?.cause;
    const outcome: Alike = { answered: [], refused: [] };
    for (const [index, { runId, gateId }] of gates.entries()) {
      const row = rows[index] ?? null;
      const done =
        row !== null && row.cause !== cause
          ? fail('gate.bad_answer', 'this question differs from the others')
          : await this.resolve({ runId, gateId, answer, by });
      if (done.ok) outcome.answered.push(done.value);
      else outcome.refused.push({ runId, gateId, title: row?.title ?? '', error: done.error });
    }
    return ok(outcome);
  }

  /** The rule made by `allow_rule`: as given, else the narrowest one. Null with another option. */
  private ruleFor({ runId, gateId, answer, rule, by }: ParsedInput<'gate.resolve'>): Result<NewRule | null> {
    const wanted = answer.option === 'allow_rule';
    if (rule !== undefined && !(wanted && rule.effect === 'allow')) {
      return fail('input.invalid', 'a rule that allows is given with the option "allow_rule" only');
    }
    const offered = this.parts.store.gate(runId, gateId);
    if (!wanted || offered?.status !== 'open' || !offered.options.some(({ id }) => id === answer.option)) {
      return ok(null);
    }
    const draft = rule === undefined ? this.parts.rules.suggest(runId, gateId) : ok(rule);
    return draft.ok ? this.parts.rules.drawUp(draft.value, by) : draft;
  }

  snooze(runId: number, gateId: number, until: number | null): Result<GateRow> {
    this.parts.store.snooze(runId, gateId, until);
    this.parts.changed(runId, gateId);
    return this.row(runId, gateId);
  }

  private row(runId: number, gateId: number): Result<GateRow> {
    const row = this.parts.store.gate(runId, gateId);
    return row === null ? fail('not_found', `there is no gate ${gateId} in run ${runId}`) : ok(row);
  }
}

/** Why a gate cannot be answered this way; null if it can. */
function refusalOf(
  gate: GateState | undefined,
  { runId, gateId, answer }: ParsedInput<'gate.resolve'>,
): AppError | null {
  if (gate === undefined) return appError('not_found', `there is no gate ${gateId} in run ${runId}`);
  if (gate.status !== 'open') {
    const how =
      gate.status === 'withdrawn'
        ? `withdrawn: ${gate.reason ?? ''}`
        : `answered with "${gate.answer?.option ?? ''}" by ${gate.by ?? ''}`;
    return appError('gate.already_resolved', `the gate was ${how}`);
  }
  const option = gate.options.find((entry) => entry.id === answer.option);
  if (option === undefined) {
    const has = gate.options.map(({ id, label }) => `${id} (${label})`).join(', ');
    return appError('gate.bad_answer', `"${answer.option}" is not an option of this gate`, {
      mend: `Answer with one of: ${has}.`,
    });
  }
  const missing = missingWords(option, answer);
  return missing === null
    ? null
    : appError('gate.bad_answer', LACKS[missing](option), { mend: GIVE[missing] });
}

const LACKS = {
  text: ({ label }: GateOption) => `"${label}" needs a text, and it is empty`,
  reason: ({ label }: GateOption) => `"${label}" needs a reason, and it is empty`,
};
const GIVE = {
  text: 'Give your answer in `text`.',
  reason: 'Say why in `reason`: the next attempt gets it.',
};
