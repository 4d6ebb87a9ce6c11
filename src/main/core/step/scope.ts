import type { AppError } from '@contract/errors';
import type { RunOutcome } from '@contract/run/lifecycle/events';
import type { Cable, ContextBundle, StepDefinition } from '@contract/workflow/definition';
import type { ScopedVariable } from '../reference/reference';

/** A scope that an activation has opened. */
export interface ScopeView {
  readonly ended: boolean;
  readonly outcome: RunOutcome | null;
  readonly error: AppError | null;
  /** What its last steps gave out; null where that is nothing. */
  output(): ContextBundle | null;
  /** The newest commit that a turn in it made. */
  commit(): string | null;
  /** The branch of the worktree that was made for it; null where it worked in that of the step. */
  branch(): string | null;
  /** What its turns used, and how long something of it worked. */
  spent(): ScopeSpent;
}

export interface ScopeSpent {
  /** Null where no agent told it. */
  readonly tokens: number | null;
  readonly cost_usd: number | null;
  readonly seconds: number;
}

export interface ScopesView {
  readonly opened: number;
  /** How many of them continue. */
  readonly open: number;
  /** How many of them failed, were cancelled or were rejected. */
  readonly failed: number;
  /** How many had ended well when the operator took the step up again; 0 where they did not. */
  readonly beforeResume: number;
  /** By its number, from 1, or null where the step opens only one. */
  at(index: number | null): ScopeView | null;
}

interface BodyNames {
  /** Variables that its references may read, which `ScopeDecision.values` gives. */
  readonly variables: readonly ScopedVariable[];
  /** Names of `$INPUTS` that `ScopeDecision.inputs` gives. */
  readonly inputs?: readonly string[];
  /** Its own turns post no updates: `observeScope` posts one for the scope. */
  readonly quiet?: boolean;
}

export interface InlineBody extends BodyNames {
  readonly kind: 'inline';
  readonly steps: readonly StepDefinition[];
  readonly cables: readonly Cable[];
  /** The step that gives the output; absent: the last steps. */
  readonly output?: string | undefined;
  /** The path in the configuration of what is at a path of the body: `steps[0].config.instruction`. */
  at(path: string): string;
}

/** Another workflow, by the path in the project. */
export interface FileBody extends BodyNames {
  readonly kind: 'file';
  readonly file: string;
}

/** A body of its own for each scope, in their order. */
export interface VariantBodies extends BodyNames {
  readonly kind: 'variants';
  readonly variants: readonly InlineBody[];
}

/** What a step runs in each of its scopes. */
export type StepBody = InlineBody | FileBody | VariantBodies;
