import type { GateAnswer, PermissionRequest } from '@contract/gate/gate';
import type { PermissionRule } from '@contract/permission/rule';
import type { RuleContext } from '../permission/match';

/** The operator's permission rules, as the engine asks them. */
export interface Rules {
  /** The rule that answers a request now: one that denies before any that allows; null where none does. */
  match(request: PermissionRequest, context: Omit<RuleContext, 'now'>): PermissionRule | null;
}

/** A permission request of the past: what was asked, where, and how it was answered. */
export interface PastRequest extends Omit<RuleContext, 'now'> {
  readonly gateId: number;
  readonly runName: string;
  /** The name of the profile that asked. */
  readonly agent: string | null;
  readonly title: string;
  readonly request: PermissionRequest;
  readonly openedAt: number;
  readonly answer: GateAnswer | null;
  readonly by: string | null;
}

export interface RuleReader {
  /** The newest first; without `ids` those that were not removed, or all with `removed`. */
  rules(query: { readonly removed: boolean; readonly ids?: readonly string[] }): PermissionRule[];
  rule(id: string): PermissionRule | null;
  /** The newest requests of runs that are not in the bin, the newest first. */
  pastRequests(limit: number): PastRequest[];
}

/** What of a rule may change: what it says never does. */
export type RuleChange = Pick<PermissionRule, 'expires_at' | 'reason' | 'removed_at'>;

/** A rule as it is written down first. */
export type NewRule = Omit<PermissionRule, 'uses' | 'last_used_at' | 'removed_at'>;

export interface RuleWriter {
  addRule(rule: NewRule): void;
  changeRule(id: string, change: RuleChange): void;
}
