import type { AgentProfile } from '@areas/agents/contract/profile';
import type { FileChange, RanCommand, TakenDiff, TurnChanges } from '@areas/changes/contract/changes';
import type { GateAnswer } from '@areas/gates/contract/gate';
import type { LostHost } from '@areas/hosts/contract/lost-host';
import type { ProjectSettings } from '@areas/projects/contract/project-settings';
import type { ToolCalls } from '@areas/sessions/contract/response';
import type {
  Attachment,
  Capabilities,
  ObservedState,
  Opening,
  TurnOutcome,
  Usage,
} from '@areas/sessions/contract/session';
import type { StoredBundle, WorkflowDefinition, WorkspaceMode } from '@areas/workflows/contract/definition';
import type { AppError } from '../errors';
import type { Json, LocalId, StepId } from '../ids';
import type { MarkedText, WholeText } from '../whole-text';
import type { ActivationOutcome, SkipCause } from './activation/events';
import type { KeyedAnswer } from './command-key';
import type { RunOutcome } from './lifecycle/events';
import type { PlatformEventOf } from './platform-events';
import type { Applied, RunResult } from './results/results';
import type { TimerState } from './timer/state';

export interface ActivationState {
  readonly id: LocalId;
  readonly stepId: StepId;
  readonly attempt: number;
  readonly inputs: readonly {
    readonly port: string;
    readonly activationId: LocalId;
    readonly fromPort: string;
  }[];
  /** Newest earlier activations that gave no input; only for steps that run regardless of those results. */
  readonly sources?: readonly LocalId[];
  readonly status: 'running' | 'finished';
  /** Templates of its configuration after expansion; absent if there were none. */
  readonly expanded?: Expanded;
  /** Templates expanded later, by name. */
  readonly laterTexts?: Readonly<Record<string, WholeText>>;
  readonly outcome: ActivationOutcome | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly sessionIds: readonly LocalId[];
  readonly turnIds: readonly LocalId[];
  readonly commandIds: readonly LocalId[];
  readonly captureIds: readonly LocalId[];
  /** Its own working folders; empty if it works in the run's folder. */
  readonly workspaceIds: readonly LocalId[];
  /** The newest session of each lane; empty if the step has one agent. */
  readonly lanes: Readonly<Record<string, LocalId>>;
  /** Lanes that failed permanently while their step continues. */
  readonly brokenLanes: Readonly<Record<string, LaneFailure>>;
  /** Like `resumedAtTurn`, for each lane that was resumed separately. */
  readonly restoredLanes: Readonly<Record<string, number>>;
  /** How often a failed lane was resumed since its newest turn; absent: never. */
  readonly retriedLanes: Readonly<Record<string, number>>;
  readonly gateIds: readonly LocalId[];
  readonly timerIds: readonly LocalId[];
  readonly outputs: Readonly<Record<string, StoredBundle>>;
  readonly signals: readonly string[];
  readonly receipt: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
  readonly error: AppError | null;
  /** Absent if it opened no scope. */
  readonly scopes?: ScopeCounts;
  /** It is being stopped and ends with this error; null: cancelled. */
  readonly stopping?: { readonly error: AppError | null } | undefined;
  /** Its result was adopted from an earlier run: which, and when it was made. */
  readonly adopted?: { readonly uid: string; readonly at: number };
  /** When the operator last resumed it. */
  readonly resumedAt?: number;
  /** It failed, and its step is retried when this timer fires. */
  readonly retryTimer?: LocalId | undefined;
  /** Number of its turns when the operator last resumed it; earlier failures no longer count. */
  readonly resumedAtTurn: number;
  readonly resumedAtCommand: number;
  readonly resumedAtGate: number;
  /** How many of its scopes had succeeded when it was resumed. */
  readonly resumedAtScope?: number | undefined;
  /** It was resumed after it had succeeded: what started up to this activation used its earlier result. */
  readonly redoneAfter?: number | undefined;
}

interface Expanded {
  readonly texts: Readonly<Record<string, WholeText>>;
  readonly env: Readonly<Record<string, WholeText>>;
  readonly warnings: readonly string[];
}

export type SessionStatus = 'starting' | 'resuming' | 'ready' | 'parked' | 'lost' | 'failed' | 'closed';

export interface SessionState {
  readonly id: LocalId;
  /** `RUN_UID/sN`: what `source_session_key` holds. */
  readonly key: string;
  readonly profileId: string;
  readonly model: string | null;
  readonly mode: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly status: SessionStatus;
  readonly since: number;
  readonly reason: string | null;
  readonly providerSessionId: string | null;
  readonly agent: string | null;
  readonly cwd: string | null;
  /** Null: the run's own. */
  readonly workspaceId: LocalId | null;
  readonly capabilities: Capabilities | null;
  readonly notice: string | null;
  readonly activationIds: readonly LocalId[];
  readonly turnIds: readonly LocalId[];
  readonly error: AppError | null;
  /** How many times in a row it failed to start. */
  readonly failures: number;
  /** The last gate when it last failed to start: only later gates can be about that failure. */
  readonly failedAtGate: LocalId;
  /** When a restarted core took over its surviving program; null once another program was started. */
  readonly reattachedAt: number | null;
  /** Last observed state of its agent during a turn; null: working. */
  readonly observed: Observation | null;
  /** After this many turns the agent's conversation was restarted, so it does not remember earlier ones. */
  readonly freshAt: number;
  /** How many of its turns belonged to another agent before; absent if it never changed. */
  readonly agentFrom?: number;
  readonly opening?: Opening | undefined;
  /** The key of the session in an earlier run that it replaces. */
  readonly insteadOf?: string;
}

export interface Observation {
  readonly turnId: LocalId;
  readonly state: Exclude<ObservedState, 'working'>;
  readonly since: number;
  readonly reason: string;
}

export interface TurnState {
  readonly id: LocalId;
  readonly sessionId: LocalId;
  readonly activationId: LocalId;
  readonly ordinal: number;
  readonly of: number;
  readonly kind: PlatformEventOf<'turn.dispatched'>['kind'];
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
  readonly resendOf: LocalId | null;
  readonly lane: string | null;
  readonly label: string | null;
  readonly promptId: LocalId | null;
  /** Characters of the prompt that repeat what the lost conversation had known. */
  readonly carried: number;
  readonly cancelledBy: string | null;
  /** It was cancelled so that its prompt is sent again. */
  readonly restarts?: boolean | undefined;
  readonly changes: TurnChanges | null;
  /** Why its folder could not be kept, so that its changes are unknown. */
  readonly unkept?: AppError | undefined;
  readonly commands: readonly RanCommand[];
  /** The agent compacted its context during the turn. */
  readonly compacted?: boolean | undefined;
  readonly status: 'in_flight' | 'interrupted' | TurnOutcome;
  readonly stopReason: string | null;
  readonly response: WholeText;
  /** Order of the agent's tool calls and its response; absent if unknown. */
  readonly toolCalls?: ToolCalls | undefined;
  readonly usage: Usage | null;
  readonly commit: string | null;
  readonly error: AppError | null;
  readonly limitResetsAt: number | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** When it was last known to be working, if its end was only noticed later. */
  readonly cutOffAfter?: number | undefined;
  /** It was interrupted because its terminal host or guard died, while Muster continued. */
  readonly hostDied?: boolean | undefined;
  /** The user messages that the prompt combines. */
  readonly messages?: readonly string[] | undefined;
}

export interface PromptState {
  readonly id: LocalId;
  readonly sessionId: LocalId;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly by: string;
  readonly at: number;
  readonly status: 'queued' | 'sent' | 'withdrawn';
  readonly turnId: LocalId | null;
  readonly reason: string | null;
}

export interface WorkspaceState {
  readonly id: LocalId;
  readonly activationId: LocalId;
  readonly lane: string | null;
  /** The scope of its activation. */
  readonly scope?: string | undefined;
  readonly from: LocalId | null;
  readonly status: 'requested' | 'ready' | 'failed';
  readonly path: string | null;
  readonly branch: string | null;
  readonly baseCommit: string | null;
  /** What the folder lacks, for the operator. */
  readonly notes?: readonly string[] | undefined;
  readonly error: AppError | null;
}

export interface CaptureState {
  readonly id: LocalId;
  readonly activationId: LocalId;
  readonly name: string;
  readonly workspaceId: LocalId | null;
  readonly fromTurn: LocalId | null;
  readonly toTurn: LocalId | null;
  readonly status: 'running' | 'done' | 'failed';
  readonly diff: TakenDiff | null;
  /** The beginning as it was recorded first: an edit of the folder may change that of the diff. */
  readonly began: string | null;
  readonly notes: readonly string[];
  readonly files: readonly FileChange[];
  readonly error: AppError | null;
}

export interface CommandState {
  readonly id: LocalId;
  readonly activationId: LocalId;
  /** Null: the run's own. */
  readonly workspaceId: LocalId | null;
  readonly script: string;
  readonly about?: string;
  readonly terminal: boolean;
  readonly status: 'running' | 'interrupted' | PlatformEventOf<'command.finished'>['outcome'];
  readonly exitCode: number | null;
  readonly output: MarkedText;
  readonly errorOutput?: MarkedText | undefined;
  readonly outputPath: string | null;
  readonly outputBytes: number;
  readonly error: AppError | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** As for a turn. */
  readonly cutOffAfter?: number | undefined;
}

type GateStatus = 'open' | 'resolved' | 'withdrawn';

export interface GateState extends Omit<PlatformEventOf<'gate.opened'>, 'type' | 'gateId'> {
  readonly id: LocalId;
  readonly status: GateStatus;
  readonly openedAt: number;
  readonly closedAt: number | null;
  readonly answer: GateAnswer | null;
  readonly by: string | null;
  /** For a permission: whether the answer reached the agent. */
  readonly delivered: boolean;
  readonly reason: string | null;
  /** For a budget: what the run had spent when it was answered. */
  readonly spent?: PlatformState['spend'];
}

/** Why a lane failed, and whether it is tried again when the operator resumes the run. */
interface LaneFailure {
  readonly error: AppError;
  readonly resumes: boolean;
}

/** How many scopes an activation has opened, how many still run, and how many did not succeed. */
export interface ScopeCounts {
  readonly opened: number;
  readonly open: number;
  readonly failed: number;
}

/** A pass of a loop, an item of a fan-out or a called workflow: its steps have keys below its path. */
export interface ScopeState {
  readonly path: string;
  readonly activationId: LocalId;
  readonly index: number | null;
  readonly values: Readonly<Record<string, WholeText>>;
  /** Null: the enclosing scope's inputs apply. */
  readonly inputs: Readonly<Record<string, WholeText>> | null;
  /** The scope that it continues from. */
  readonly after: string | null;
  /** Steps that change files work in a worktree of their own: this one, once it was requested. */
  readonly isolated: boolean;
  readonly workspaceId: LocalId | null;
  readonly status: 'open' | 'stopping' | 'ended';
  readonly outcome: RunOutcome | null;
  readonly error: AppError | null;
}

export interface StepState {
  readonly id: StepId;
  readonly activationIds: readonly LocalId[];
  /** Why it was skipped; null if it was not. */
  readonly skipped: string | null;
  readonly skipCause: SkipCause | null;
}

/** A run's state without its features' parts. */
export interface PlatformState {
  seq: number;
  uid: string;
  /** Given by the operator, or derived (`run-name.ts`). Not for folders and branches: it changes. */
  name: string;
  workflowName: string;
  issue?: PlatformEventOf<'run.started'>['issue'];
  projectId: number;
  projectPath: string;
  sourceFile: string | null;
  definition: WorkflowDefinition;
  /** Workflow files called by its steps, by the path they are named with. */
  called?: Readonly<Record<string, WorkflowDefinition>> | undefined;
  profiles: Readonly<Record<string, AgentProfile>>;
  /** For agents that name none. */
  defaultProfile: string | null;
  instruction: string;
  /** The run whose results it adopted, and the step it started at. */
  again?: PlatformEventOf<'run.started'>['again'];
  /** Runs that were started at one of its steps. */
  againAs?: readonly { readonly uid: string; readonly step: StepId; readonly at: number }[];
  attachments: readonly Attachment[];
  files: Readonly<Record<string, Attachment>>;
  projectContext: string | null;
  /** Those of `.muster/project.yaml`; absent if the project had none. */
  projectSettings?: ProjectSettings | undefined;
  /** Prompt texts as of the run's start, by id. */
  prompted: Readonly<Record<string, string>>;
  /** The source files of texts that are not Muster's own; absent if all are. */
  promptFiles?: Readonly<Record<string, string>> | undefined;
  references: {
    readonly baseBranch: string | null;
    readonly docsDir: string;
    readonly inputs: Readonly<Record<string, string>>;
  };
  artifactsDir: string;
  workspaceMode: WorkspaceMode;
  workspace: {
    readonly path: string;
    readonly branch: string | null;
    readonly baseCommit: string | null;
    readonly notes?: readonly string[] | undefined;
  } | null;
  workspaceStatus: 'none' | 'requested' | 'ready' | 'failed';
  workspaceError: AppError | null;
  status: 'running' | 'cancelling' | 'finished';
  outcome: RunOutcome | null;
  reason: string | null;
  cancelReason?: string | undefined;
  startedAt: number;
  finishedAt: number | null;
  /** Set while a finished run works again on a prompt of the operator: how it had ended. */
  reopened: { readonly outcome: RunOutcome; readonly reason: string | null } | null;
  /** The last gate when the operator resumed the run: earlier answers no longer stop it. */
  takenUpAtGate: LocalId;
  /** The time of the last event, and of the newest one that is earlier. */
  at: number;
  before: number;
  binned: boolean;
  /** The results of a finished run, once its branches were freed; null before. */
  results: readonly RunResult[] | null;
  /** Results applied to the operator's checkout, latest last. */
  applied: readonly Applied[];
  applying: Omit<PlatformEventOf<'run.apply-requested'>, 'type' | 'by'> | null;
  /** A result whose application is being undone. */
  undoing: Omit<PlatformEventOf<'run.undo-requested'>, 'type' | 'by'> | null;
  /** Of all finished turns; `untold` reported nothing. */
  spend: { readonly tokens: number; readonly cost_usd: number; readonly untold: number };
  steps: Record<StepId, StepState>;
  scopes: Record<string, ScopeState>;
  activations: Record<LocalId, ActivationState>;
  sessions: Record<LocalId, SessionState>;
  turns: Record<LocalId, TurnState>;
  commands: Record<LocalId, CommandState>;
  prompts: Record<LocalId, PromptState>;
  workspaces: Record<LocalId, WorkspaceState>;
  captures: Record<LocalId, CaptureState>;
  /** The operator's marks on hunks, by `session/turn/path/hunk`, and on files, by both sides of each. */
  hunks: Record<string, 'accepted' | 'rejected'>;
  viewed: Record<string, true>;
  /** Hosts that cannot be reached while the run has work there, by name. */
  lostHosts: Record<string, LostHost>;
  gates: Record<LocalId, GateState>;
  timers: Record<LocalId, TimerState>;
  answers: Record<string, KeyedAnswer>;
  /** The highest number used so far, by kind. */
  last: Record<
    'activation' | 'session' | 'turn' | 'command' | 'gate' | 'timer' | 'prompt' | 'workspace' | 'capture',
    number
  >;
}
