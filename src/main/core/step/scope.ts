import type { Cable, ContextBundle, StepDefinition } from '@areas/workflows/contract/definition';
import type { ScopedVariable } from '@areas/workflows/core/reference/reference';
import type { AppError } from '@contract/errors';
import type { RunOutcome } from '@contract/run/lifecycle/events';

export { RESERVED_IDS } from '@areas/workflows/core/reference/reference';

/** A scope that an activation has opened. */
export interface ScopeView {
  readonly ended: boolean;
  readonly outcome: RunOutcome | null;
  readonly error: AppError | null;
  /** The output of its last steps; null if there is none. */
  output(): ContextBundle | null;
  /** The newest commit made by a turn in it. */
  commit(): string | null;
  /** The branch of its own worktree; null if it worked in the step's folder. */
  branch(): string | null;
  /** Usage of its turns, and its working time. */
  spent(): ScopeSpent;
}

export interface ScopeSpent {
  /** Null if no agent reported it. */
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  readonly seconds: number;
}

export interface ScopesView {
  readonly opened: number;
  /** Number of scopes still running. */
  readonly open: number;
  /** Number of scopes that failed, were cancelled or rejected. */
  readonly failed: number;
  /** How many had succeeded when the operator resumed the step; 0 if it was not resumed. */
  readonly beforeResume: number;
  /** A scope by its number, from 1, or null if the step opens only one. */
  at(index: number | null): ScopeView | null;
}

interface BodyNames {
  /** Variables that its references may read, set by `ScopeDecision.values`. */
  readonly variables: readonly ScopedVariable[];
  /** Names of `$INPUTS`, set by `ScopeDecision.inputs`. */
  readonly inputs?: readonly string[];
  /** Its own turns post no updates: `observeScope` posts one for the scope. */
  readonly quiet?: boolean;
}

interface InlineBody extends BodyNames {
  readonly kind: 'inline';
  readonly steps: readonly StepDefinition[];
  readonly cables: readonly Cable[];
  /** The step whose output is used; absent: the last steps. */
  readonly output?: string | undefined;
  /** Maps a path in the body to a path in the configuration: `steps[0].config.instruction`. */
  at(path: string): string;
}

/** Another workflow, by its path in the project. */
interface FileBody extends BodyNames {
  readonly kind: 'file';
  readonly file: string;
}

/** A separate body for each scope, in order. */
interface VariantBodies extends BodyNames {
  readonly kind: 'variants';
  readonly variants: readonly InlineBody[];
}

/** What a step runs in each of its scopes. */
export type StepBody = InlineBody | FileBody | VariantBodies;
