import { allowsRequest, type PermissionRequest } from '@areas/gates/contract/gate';
import { appError } from '@contract/errors';
import type { ParsedInput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import type { Ids } from '@main/core/ports/documents';
import type { Clock } from '@main/core/ports/ports';
import type { NewRule, PastRequest, Rules } from '@main/core/ports/rules';
import type { Store } from '@main/core/ports/store/store';
import type { DryRun, DryRunRow } from '../contract/procedures';
import type { PermissionRule, RuleDraft } from '../contract/rule';
import { whereAsked } from '../core/context';
import { matchRules, pathsOf, type RuleContext, ruleMatches } from '../core/match';
import { proposeRule } from '../core/propose';

export interface PermissionRulesParts {
  readonly store: Pick<
    Store,
    'rules' | 'rule' | 'pastRequests' | 'addRule' | 'changeRule' | 'run' | 'project'
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** A run's state, from memory or the log; null if there is no such run. */
  readonly state: (runId: number) => RunState | null;
  /** The rules have changed. */
  readonly changed: () => void;
}

const noRule = (id: string) => appError('not_found', `there is no permission rule ${id}`);

/** The operator's permission rules: stores them, matches them for the engine, and tests them on history. */
export class PermissionRules implements Rules {
  /** The active rules from the store; read again after each write. */
  private known: readonly PermissionRule[] | null = null;

  constructor(private readonly parts: PermissionRulesParts) {}

  match(request: PermissionRequest, context: Omit<RuleContext, 'now'>): PermissionRule | null {
    this.known ??= this.parts.store.rules({ removed: false });
    return matchRules(this.known, request, { ...context, now: this.parts.clock.now() });
  }

  list({ removed, ids }: ParsedInput<'rule.list'>): PermissionRule[] {
    return this.parts.store.rules(ids === undefined ? { removed } : { removed, ids });
  }

  /** The narrowest rule for a gate's request, open or not. */
  suggest(runId: number, gateId: number): Result<RuleDraft> {
    const state = this.parts.state(runId);
    const gate = state?.gates[gateId];
    if (state === null || gate === undefined)
      return fail('not_found', `there is no gate ${gateId} in run ${runId}`);
    const context = whereAsked(runId, state, gate.sessionId);
    const draft =
      gate.request === null || context === null
        ? null
        : proposeRule(gate.request, { ...context, now: this.parts.clock.now() });
    if (draft !== null) return ok(draft);
    return fail('gate.bad_answer', 'rules cannot allow this request', {
      mend: 'a rule allows one simple command or named files; answer this request by itself',
    });
  }

  create(draft: RuleDraft, by: string): Result<PermissionRule> {
    const rule = this.drawUp(draft, by);
    if (!rule.ok) return rule;
    this.parts.store.addRule(rule.value);
    this.kept();
    return this.one(rule.value.id);
  }

  /**
   * A rule ready to be stored, for callers that commit it together with something else and then call `kept`.
   */
  drawUp(draft: RuleDraft, by: string): Result<NewRule> {
    const { store, clock, ids } = this.parts;
    if (draft.run_id !== null && store.run(draft.run_id) === null)
      return fail('not_found', `there is no run ${draft.run_id}`);
    if (draft.project_id !== null && store.project(draft.project_id) === null)
      return fail('not_found', `there is no project ${draft.project_id}`);
    const now = clock.now();
    if (draft.expires_at !== null && draft.expires_at <= now)
      return fail('input.invalid', 'the rule would already have expired', { where: { path: 'expires_at' } });
    return ok({ ...draft, id: ids.ulid(), created_at: now, created_by: by });
  }

  /** Rules were stored, perhaps by another component: they apply from now on. */
  kept(): void {
    this.known = null;
    this.parts.changed();
  }

  update({ id, expires_at, reason, removed }: ParsedInput<'rule.update'>): Result<PermissionRule> {
    const rule = this.parts.store.rule(id);
    if (rule === null) return err(noRule(id));
    return this.change(rule, {
      expires_at: expires_at === undefined ? rule.expires_at : expires_at,
      reason: reason ?? rule.reason,
      removed_at: removed === false ? null : rule.removed_at,
    });
  }

  /** The rule no longer applies; `update` restores it. */
  remove(id: string): Result<PermissionRule> {
    const rule = this.parts.store.rule(id);
    if (rule === null) return err(noRule(id));
    return this.change(rule, { ...rule, removed_at: rule.removed_at ?? this.parts.clock.now() });
  }

  /** Which of the newest requests this rule alone would have answered, ignoring other rules. */
  dryRun({ rule, limit, rows }: ParsedInput<'rule.dryRun'>): DryRun {
    const past = this.parts.store.pastRequests(limit);
    const timeless = { ...rule, expires_at: null };
    const fit = past.filter((one) => ruleMatches(timeless, one.request, { ...one, now: 0 }));
    const against = fit.filter(
      ({ answer }) => answer !== null && allowsRequest(answer) !== (rule.effect === 'allow'),
    );
    return {
      looked: past.length,
      since: past.at(-1)?.openedAt ?? null,
      answered: fit.length,
      against: against.length,
      rows: fit.slice(0, rows).map(rowOf),
    };
  }

  private change(
    rule: PermissionRule,
    change: Pick<PermissionRule, 'expires_at' | 'reason' | 'removed_at'>,
  ): Result<PermissionRule> {
    this.parts.store.changeRule(rule.id, change);
    this.kept();
    return this.one(rule.id);
  }

  private one(id: string): Result<PermissionRule> {
    const rule = this.parts.store.rule(id);
    return rule === null ? err(noRule(id)) : ok(rule);
  }
}

function rowOf(past: PastRequest): DryRunRow {
  const { runId, runName, gateId, agent, title, request, openedAt, answer, by } = past;
  return {
    runId,
    runName,
    gateId,
    agent,
    title,
    openedAt,
    answer,
    by,
    tool: request.tool,
    command: request.command ?? null,
    paths: pathsOf(request),
  };
}
