import type { AgentProfile } from '../catalog/profile';
import type { AppError } from '../errors';
import type { GateAnswer } from '../gate/gate';
import type { Json, LocalId, StepId } from '../ids';
import type { ToolCalls } from '../session/response';
import type {
  Attachment,
  Capabilities,
  ObservedState,
  Opening,
  TurnOutcome,
  Usage,
} from '../session/session';
import type { ContextBundle, WorkflowDefinition, WorkspaceMode } from '../workflow/definition';
import type { FileChange, RanCommand, TakenDiff, TurnChanges } from '../workspace/changes';
import type { ActivationOutcome, SkipCause } from './activation/events';
import type { KeyedAnswer } from './command-key';
import type { RunOutcome } from './lifecycle/events';
import type { PlatformEventOf } from './platform-events';
import type { Applied, RunResult } from './results';

export interface ActivationState {
  readonly id: LocalId;
  readonly stepId: StepId;
  readonly attempt: number;
  readonly inputs: readonly {
    readonly port: string;
    readonly activationId: LocalId;
    readonly fromPort: string;
  }[];
  /** Newest activations before it that gave no input; only of steps that run whatever those came to. */
  readonly sources?: readonly LocalId[];
  readonly status: 'running' | 'finished';
  /** Templates of its configuration with their references replaced; absent where there were none. */
  readonly expanded?: Expanded;
  /** Templates that were expanded later, by their names. */
  readonly laterTexts?: Readonly<Record<string, string>>;
  readonly outcome: ActivationOutcome | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly sessionIds: readonly LocalId[];
  readonly turnIds: readonly LocalId[];
  readonly commandIds: readonly LocalId[];
  readonly captureIds: readonly LocalId[];
  /** Its own working folders; none where it works in that of the run. */
  readonly workspaceIds: readonly LocalId[];
  /** The session of each lane, the newest; empty where the step has one agent. */
  readonly lanes: Readonly<Record<string, LocalId>>;
  /** Lanes that failed for good while their step continues. */
  readonly brokenLanes: Readonly<Record<string, AppError>>;
  /** As `resumedAtTurn`, of a lane that was resumed by itself. */
  readonly restoredLanes: Readonly<Record<string, number>>;
  /** How often a lane that had failed was resumed since its newest turn; none where it was not. */
  readonly retriedLanes: Readonly<Record<string, number>>;
  readonly gateIds: readonly LocalId[];
  readonly timerIds: readonly LocalId[];
  readonly outputs: Readonly<Record<string, ContextBundle>>;
  readonly signals: readonly string[];
  readonly receipt: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
  readonly error: AppError | null;
  /** Absent where it opened no scope. */
  readonly scopes?: ScopeCounts;
  /** It is being stopped, and ends with this error; null: it is cancelled. */
  readonly stopping?: { readonly error: AppError | null } | undefined;
  /** Its result was taken from an earlier run: where and when it was made. */
  readonly adopted?: { readonly uid: string; readonly at: number };
  /** When the operator took it up again last. */
  readonly resumedAt?: number;
  /** It failed, and its step is tried again when this timer fires. */
  readonly retryTimer?: LocalId | undefined;
  /** How often the operator took it up again; each time, what failed before it no longer counts. */
  readonly resumedAtTurn: number;
  readonly resumedAtCommand: number;
  readonly resumedAtGate: number;
  /** How many of its scopes had ended well when it was resumed. */
  readonly resumedAtScope?: number | undefined;
  /** It was resumed after it had ended well: what started up to this activation used its earlier result. */
  readonly redoneAfter?: number | undefined;
}

export interface Expanded {
  readonly texts: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
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
  /** How often starting it failed in a row. */
  readonly failures: number;
  /** The last gate when starting it failed last: only one after it is about that. */
  readonly failedAtGate: LocalId;
  /** When a core that was started again took up its program, which had lived on; null once another one was started. */
  readonly reattachedAt: number | null;
  /** How its agent was last seen to be in a turn; null: it was seen to work. */
  readonly observed: Observation | null;
  /** The agent's conversation was begun again after so many of its turns, and knows nothing of them by itself. */
  readonly freshAt: number;
  /** How many of its turns another agent had before; absent where it always had the same. */
  readonly agentFrom?: number;
  readonly opening?: Opening | undefined;
  /** The key of the session of an earlier run that it takes the place of. */
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
  /** Characters of the prompt that repeat what the conversation had lost. */
  readonly carried: number;
  readonly cancelledBy: string | null;
  readonly changes: TurnChanges | null;
  /** Why its folder could not be kept, so that what it changed is not known. */
  readonly unkept?: AppError | undefined;
  readonly commands: readonly RanCommand[];
  /** Its agent made room in its context during the turn. */
  readonly compacted?: boolean | undefined;
  readonly status: 'in_flight' | 'interrupted' | TurnOutcome;
  readonly stopReason: string | null;
  readonly response: string;
  /** Where the agent's tool calls stand to its response; missing where that is not known. */
  readonly toolCalls?: ToolCalls | undefined;
  readonly usage: Usage | null;
  readonly commit: string | null;
  readonly error: AppError | null;
  readonly limitResetsAt: number | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** When it was last known to continue, where its end was seen only afterwards. */
  readonly cutOffAfter?: number | undefined;
  /** It was interrupted because its terminal host or guard died, while Muster continued. */
  readonly hostDied?: boolean | undefined;
  /** The user messages that the prompt joins. */
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
  /** The scope of the activation that it belongs to. */
  readonly scope?: string | undefined;
  readonly from: LocalId | null;
  readonly status: 'requested' | 'ready' | 'failed';
  readonly path: string | null;
  readonly branch: string | null;
  readonly baseCommit: string | null;
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
  readonly files: readonly FileChange[];
  readonly filesTruncated: boolean;
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
  readonly output: string;
  readonly outputPath: string | null;
  readonly outputBytes: number;
  readonly truncated: boolean;
  readonly error: AppError | null;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** As for a turn. */
  readonly cutOffAfter?: number | undefined;
}

export type GateStatus = 'open' | 'resolved' | 'withdrawn';

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
  /** Of a budget: what the run had spent when it was answered. */
  readonly spent?: PlatformState['spend'];
}

export interface TimerState {
  readonly id: LocalId;
  readonly activationId: LocalId;
  readonly dueAt: number;
  readonly purpose: string;
  /** The turn whose agent it watches over. */
  readonly watches: LocalId | null;
  readonly fired: boolean;
  readonly heardAt: number | null;
}

/** How many scopes an activation has opened; how many of them continue, and how many ended otherwise than well. */
export interface ScopeCounts {
  readonly opened: number;
  readonly open: number;
  readonly failed: number;
}

/** A pass of a loop, an item of a fan-out or a called workflow: steps of their own, by keys behind its path. */
export interface ScopeState {
  readonly path: string;
  /** Whose scope it is. */
  readonly activationId: LocalId;
  readonly index: number | null;
  readonly values: Readonly<Record<string, string>>;
  /** Null: those of the scope around it hold. */
  readonly inputs: Readonly<Record<string, string>> | null;
  /** The scope that it continues from. */
  readonly after: string | null;
  /** What changes files in it works in a worktree of its own. */
  readonly isolated: boolean;
  readonly status: 'open' | 'stopping' | 'ended';
  readonly outcome: RunOutcome | null;
  readonly error: AppError | null;
}

export interface StepState {
  readonly id: StepId;
  readonly activationIds: readonly LocalId[];
  /** Why it was skipped; null where it was not. */
  readonly skipped: string | null;
  readonly skipCause: SkipCause | null;
}

/** The state of a run without what its features keep. */
export interface PlatformState {
  seq: number;
  uid: string;
  name: string;
  projectId: number;
  projectPath: string;
  sourceFile: string | null;
  definition: WorkflowDefinition;
  /** Workflow files that its steps call, by the path that they are named with. */
  called?: Readonly<Record<string, WorkflowDefinition>> | undefined;
  profiles: Readonly<Record<string, AgentProfile>>;
  /** Of agents that name none. */
  defaultProfile: string | null;
  instruction: string;
  /** The run whose results it began with, and the step that it began at. */
  again?: PlatformEventOf<'run.started'>['again'];
  /** Runs that were begun at one of its steps. */
  againAs?: readonly { readonly uid: string; readonly step: StepId; readonly at: number }[];
  /** The rules that the run is decided by; undefined in runs that began under the first ones. */
  rules?: 2 | 3 | 4 | undefined;
  attachments: readonly Attachment[];
  files: Readonly<Record<string, Attachment>>;
  projectContext: string | null;
  /** Prompt texts as they were when the run started, by their id. */
  prompted: Readonly<Record<string, string>>;
  /** The files of those that are not Muster's own; absent where all are. */
  promptFiles?: Readonly<Record<string, string>> | undefined;
  /** Absent in runs that began before there were references: they expand nothing. */
  references?:
    | {
        readonly baseBranch: string | null;
        readonly docsDir: string;
        readonly inputs: Readonly<Record<string, string>>;
      }
    | undefined;
  artifactsDir: string;
  workspaceMode: WorkspaceMode;
  workspace: {
    readonly path: string;
    readonly branch: string | null;
    readonly baseCommit: string | null;
  } | null;
  workspaceStatus: 'none' | 'requested' | 'ready' | 'failed';
  workspaceError: AppError | null;
  status: 'running' | 'cancelling' | 'finished';
  outcome: RunOutcome | null;
  reason: string | null;
  /** Why a step of the run cancels it. */
  cancelReason?: string | undefined;
  startedAt: number;
  finishedAt: number | null;
  /** Set while a finished run works once more for a prompt of the operator: how it had ended. */
  reopened: { readonly outcome: RunOutcome; readonly reason: string | null } | null;
  /** The last gate there was when the operator took the run up again: what was answered until then stops it no more. */
  takenUpAtGate: LocalId;
  /** The time of the last event. */
  at: number;
  /** Of the newest event that came before those of that time. */
  before: number;
  binned: boolean;
  /** What a finished run left, once its branches were freed; null before that and while it continues. */
  results: readonly RunResult[] | null;
  /** Results in the operator's checkout, the latest last. */
  applied: readonly Applied[];
  /** A result that is on its way into the checkout. */
  applying: Omit<PlatformEventOf<'run.apply-requested'>, 'type' | 'by'> | null;
  /** Tokens and money of all finished turns; turns that told none are counted apart. */
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
  /** Marks of the operator by `session/turn/path/hunk`. */
  hunks: Record<string, 'accepted' | 'rejected'>;
  gates: Record<LocalId, GateState>;
  timers: Record<LocalId, TimerState>;
  /** What commands that carried a key were answered, by that key. */
  answers: Record<string, KeyedAnswer>;
  /** The highest number given so far, by kind. */
  last: Record<
    'activation' | 'session' | 'turn' | 'command' | 'gate' | 'timer' | 'prompt' | 'workspace' | 'capture',
    number
  >;
}
