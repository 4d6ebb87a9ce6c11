import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { EvidencePiece } from '@areas/evidence/contract/evidence';
import type { GateKind, GateOption } from '@areas/gates/contract/gate';
import type { Attachment, Opening } from '@areas/sessions/contract/session';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import type { ScopedVariable } from '@areas/workflows/core/reference/reference';
import type { OutputPart } from '@contract/bounds';
import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { ActivationOutcome } from '@contract/run/activation/events';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { DurableKey, TimerKey } from '@contract/run/keys';

/** The agent of a turn: a profile's id and the step's overrides. */
export interface AgentRef {
  readonly profileId: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The step restricts it to reading, whatever its profile allows. */
  readonly readOnly?: boolean;
  /** The path in the step's configuration that names the profile; default: `acp_profile_id`. */
  readonly path?: string;
}

export interface TurnDecision {
  readonly kind: 'turn';
  readonly agent: AgentRef;
  /** `own` opens a session for the activation; a key continues that session, and null is a missing one. */
  readonly session: { readonly kind: 'own' } | { readonly kind: 'continue'; readonly key: string | null };
  readonly turn: RunEventOf<'turn.dispatched'>['kind'];
  readonly ordinal: number;
  readonly of: number;
  readonly prompt: string;
  /** The user messages that `prompt` combines, for a model that takes them individually. */
  readonly messages?: readonly string[];
  /** The start of a new session's conversation. */
  readonly opening?: Opening;
  readonly attachments: readonly Attachment[];
  /** Progress events committed with the dispatch; as a function, of the turn's number. */
  readonly progress: readonly RunEvent[] | ((turnId: number) => readonly RunEvent[]);
  /** The agent's lane, in a step with several agents. */
  readonly lane?: string;
  /** The turn's title on screen, if kind and position do not determine it. */
  readonly label?: string;
  /**
   * A separate working folder for the activation or the lane, if the run has worktrees. Absent: the folder of
   * the input's step, else the run's own.
   */
  readonly ownWorkspace?: 'activation' | 'lane';
}

/**
 * Captures the diff of agents' changes in a workspace; the result is in the view's `captures` under this
 * name.
 */
export interface CaptureDecision {
  readonly kind: 'capture';
  readonly name: string;
  /** Whose workspace; null: that of the activation's first session. */
  readonly lane: string | null;
  readonly fromTurn: number | null;
  readonly toTurn: number | null;
  /** What happens to the lane's session, whose part is done. */
  readonly release: 'close' | 'park' | null;
}

export interface CommandDecision {
  readonly kind: 'command';
  readonly script: string;
  readonly terminal: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number | null;
  readonly joinsErrors?: boolean;
  readonly outputLimit?: OutputPart | null;
  /** Key by which the step finds the command again; needed if it may run several. */
  readonly about?: DurableKey;
}

export interface GateDecision {
  readonly kind: 'gate';
  readonly gate: GateKind;
  readonly title: string;
  readonly message: string;
  /** The subject of the decision. The caller states the kind of each piece. */
  readonly evidence: readonly EvidencePiece[] | null;
  /** Changes of files to decide on, read when the gate is shown. */
  readonly changes?: DiffScope;
  readonly options: readonly GateOption[];
  /** Key by which the step finds the gate again; needed if several can be open at once. */
  readonly about?: DurableKey;
  /** The lane of the agent that it is about, in a step with several agents. */
  readonly lane?: string;
}

/** Commits the step's own events. They must change what it decides next. */
export interface TellDecision {
  readonly kind: 'tell';
  readonly events: readonly RunEvent[];
  /** The following work needs the run's folder, which is created first. */
  readonly inWorkspace?: boolean;
  /** The following work costs money: it waits while the run's budget is exhausted. */
  readonly spends?: boolean;
}

/** Releases a lane's idle session. */
interface ReleaseDecision {
  readonly kind: 'release';
  readonly lane: string;
  readonly how: 'close' | 'park';
  /** Why it is parked, if the step still needs it. */
  readonly reason?: string;
}

/** Ends a lane's turn in flight. */
export interface StopDecision {
  readonly kind: 'stop';
  readonly lane: string;
  readonly by: string;
}

export interface TimerDecision {
  readonly kind: 'timer';
  /** Unique in the activation: another timer with the same purpose is not set. */
  readonly purpose: TimerKey;
  readonly dueAt: number;
  /** The turn whose agent it watches. */
  readonly watches: number | null;
}

/**
 * Expands a `later` template of the step, whose values were not known at the step's start. The view then
 * returns the text under this name.
 */
export interface ExpandDecision {
  readonly kind: 'expand';
  readonly name: string;
  /** The template's path in the configuration. */
  readonly path: string;
  readonly variables: Readonly<Partial<Record<ScopedVariable, string>>>;
}

/** Opens a scope, in which the body's steps run. Until it ends, the step waits for nothing else. */
export interface ScopeDecision {
  readonly kind: 'scope';
  /** Counts from 1; null if the step opens only one. */
  readonly index: number | null;
  readonly values: Readonly<Record<string, string>>;
  /** `$INPUTS` in it; absent: those around it. */
  readonly inputs?: Readonly<Record<string, string>>;
  /**
   * The number of the scope that it continues: it uses that scope's sessions, folders and `$LOOP_PREV`
   * values.
   */
  readonly after?: number;
  /** Steps that change files work in a separate worktree, if the run has worktrees. */
  readonly isolated?: boolean;
}

export interface FinishDecision {
  readonly kind: 'finish';
  readonly outcome: ActivationOutcome;
  /** Whole, except for a text that is in a file of the run already. */
  readonly outputs: Readonly<Record<string, StoredBundle>>;
  readonly signals: readonly string[];
  readonly receipt: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
  readonly error: AppError | null;
  /** A question that stays open after the step's end: the run waits for its answer when all else is done. */
  readonly escalation?: GateDecision;
}

export type StepDecision =
  | TurnDecision
  | CommandDecision
  | GateDecision
  | CaptureDecision
  | TellDecision
  | ReleaseDecision
  | StopDecision
  | TimerDecision
  | ExpandDecision
  | ScopeDecision
  | FinishDecision;
/** Several at once, for parallel lanes; decisions for a busy lane are requested again later. */
export type StepDecisions = StepDecision | readonly StepDecision[];
