import type { AppError } from '@contract/errors';
import type { EvidencePiece } from '@contract/evidence/evidence';
import type { GateKind, GateOption } from '@contract/gate/gate';
import type { Json } from '@contract/ids';
import type { ActivationOutcome } from '@contract/run/activation/events';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { DurableKey, TimerKey } from '@contract/run/keys';
import type { Attachment, Opening } from '@contract/session/session';
import type { ContextBundle } from '@contract/workflow/definition';
import type { DiffOf } from '@contract/workspace/diff-of';
import type { ScopedVariable } from '../reference/reference';

/** Which agent a turn goes to: a profile's id and what the step overrides of it. */
export interface AgentRef {
  readonly profileId: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** The step has it read only, whatever its profile allows. */
  readonly readOnly?: boolean;
  /** Where the profile is named, in the step's configuration; `acp_profile_id` where it does not say. */
  readonly path?: string;
}

export interface TurnDecision {
  readonly kind: 'turn';
  readonly agent: AgentRef;
  /** `own` opens a session for the activation; a key continues that session, and null is one that is missing. */
  readonly session: { readonly kind: 'own' } | { readonly kind: 'continue'; readonly key: string | null };
  readonly turn: RunEventOf<'turn.dispatched'>['kind'];
  readonly ordinal: number;
  readonly of: number;
  readonly prompt: string;
  /** The user messages that `prompt` joins, for a model that gets them one by one. */
  readonly messages?: readonly string[];
  /** What a session of its own begins with. */
  readonly opening?: Opening;
  readonly attachments: readonly Attachment[];
  /** Told together with the dispatch; as a function, of the turn's number. */
  readonly progress: readonly RunEvent[] | ((turnId: number) => readonly RunEvent[]);
  /** The agent's lane, in a step with several agents. */
  readonly lane?: string;
  /** What the turn is called on screen, where its kind and place do not tell. */
  readonly label?: string;
  /**
   * A working folder of its own for the activation or for the lane, where the run has worktrees. Absent: that of the
   * step whose output came in, else that of the run.
   */
  readonly ownWorkspace?: 'activation' | 'lane';
}

/** Takes what agents changed in a workspace; the result is among the view's `captures` under this name. */
export interface CaptureDecision {
  readonly kind: 'capture';
  readonly name: string;
  /** In whose workspace; null: in that of the activation's first session. */
  readonly lane: string | null;
  readonly fromTurn: number | null;
  readonly toTurn: number | null;
  /** What happens to the lane's session after its part is done. */
  readonly release: 'close' | 'park' | null;
}

export interface CommandDecision {
  readonly kind: 'command';
  readonly script: string;
  readonly terminal: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number | null;
  /** The step finds the command again by it; needed where it may run several. */
  readonly about?: DurableKey;
}

export interface GateDecision {
  readonly kind: 'gate';
  readonly gate: GateKind;
  readonly title: string;
  readonly message: string;
  /** The thing to decide on. Who asks knows what it is, and says so with each piece. */
  readonly evidence: readonly EvidencePiece[] | null;
  /** Changes of files to decide on, read when the gate is shown. */
  readonly changes?: DiffOf;
  readonly options: readonly GateOption[];
  /** The step finds the gate again by it; needed where several can be open at once. */
  readonly about?: DurableKey;
}

/** Commits events of the step's own. They must change what it decides next. */
export interface TellDecision {
  readonly kind: 'tell';
  readonly events: readonly RunEvent[];
  /** What follows works in the run's folder: it is made first. */
  readonly inWorkspace?: boolean;
  /** What follows costs money: it waits while the run's budget is used up. */
  readonly spends?: boolean;
}

/** Lets a lane's idle session go. */
export interface ReleaseDecision {
  readonly kind: 'release';
  readonly lane: string;
  readonly how: 'close' | 'park';
  /** Why it is parked, where its step is not done with it. */
  readonly reason?: string;
}

/** Ends the turn that is in flight in a lane. */
export interface StopDecision {
  readonly kind: 'stop';
  readonly lane: string;
  readonly by: string;
}

export interface TimerDecision {
  readonly kind: 'timer';
  /** Unique in the activation: a second one with the same purpose is not set. */
  readonly purpose: TimerKey;
  readonly dueAt: number;
  /** The turn whose agent it watches over. */
  readonly watches: number | null;
}

/**
 * Expands a `later` template of the step, which has values that were not known when the step started. The view gives the
 * text under this name from then on.
 */
export interface ExpandDecision {
  readonly kind: 'expand';
  readonly name: string;
  /** Path of the template in the configuration. */
  readonly path: string;
  readonly variables: Readonly<Partial<Record<ScopedVariable, string>>>;
}

/** Opens a scope: the steps of the body run there. Until it ends, the step has nothing else to wait for. */
export interface ScopeDecision {
  readonly kind: 'scope';
  /** From 1, one after the other; null where the step opens only one. */
  readonly index: number | null;
  readonly values: Readonly<Record<string, string>>;
  /** `$INPUTS` in it; absent: those around it. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The number of the scope that it continues from: sessions that are kept, folders and `$LOOP_PREV` are those of that one. */
  readonly after?: number;
  /** What changes files in it works in a worktree of its own, where the run has worktrees. */
  readonly isolated?: boolean;
}

export interface FinishDecision {
  readonly kind: 'finish';
  readonly outcome: ActivationOutcome;
  readonly outputs: Readonly<Record<string, ContextBundle>>;
  readonly signals: readonly string[];
  readonly receipt: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
  readonly error: AppError | null;
  /** A question that stays open when the step has ended: the run waits for its answer when all else is done. */
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
/** Several at once, of lanes that work beside each other; those of a lane that is not free are asked again later. */
export type StepDecisions = StepDecision | readonly StepDecision[];
