import type { GateAnswer, PermissionRequest } from '@areas/gates/contract/gate';
import type { PermissionRule } from '@areas/permissions/contract/rule';
import type { RuleContext } from '@areas/permissions/core/match';

/** The engine's access to the operator's permission rules. */
export interface Rules {
  /** The rule that answers a request now, denying rules first; null if none does. */
  match(request: PermissionRequest, context: Omit<RuleContext, 'now'>): PermissionRule | null;
}

/** A past permission request: its content, place and answer. */
export interface PastRequest extends Omit<RuleContext, 'now'> {
  readonly gateId: number;
  readonly runName: string;
  /** The name of the requesting profile. */
  readonly agent: string | null;
  readonly title: string;
  readonly request: PermissionRequest;
  readonly openedAt: number;
  readonly answer: GateAnswer | null;
  readonly by: string | null;
}

export interface RuleReader {
  /** Newest first; without `ids`, rules that were not removed, or all with `removed`. */
  rules(query: { readonly removed: boolean; readonly ids?: readonly string[] }): PermissionRule[];
  rule(id: string): PermissionRule | null;
  /** The newest requests of runs outside the bin, newest first. */
  pastRequests(limit: number): PastRequest[];
}

/** The changeable parts of a rule; its patterns never change. */
type RuleChange = Pick<PermissionRule, 'expires_at' | 'reason' | 'removed_at'>;

/** A rule as first saved. */
export type NewRule = Omit<PermissionRule, 'uses' | 'last_used_at' | 'removed_at'>;

export interface RuleWriter {
  addRule(rule: NewRule): void;
  changeRule(id: string, change: RuleChange): void;
}
