import type { ReadingHold } from '@areas/agents/contract/permission-capabilities';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { FileChange, RanCommand, TakenDiff, TurnChanges } from '@areas/changes/contract/changes';
import type { GateAnswer } from '@areas/gates/contract/gate';
import type { Attachment, Usage } from '@areas/sessions/contract/session';
import type {
  ContextBundle,
  InterruptPolicy,
  PortSpec,
  WorkspaceMode,
} from '@areas/workflows/contract/definition';
import type { ConfigEdit } from '@areas/workflows/contract/migration';
import type { TemplateField } from '@areas/workflows/core/reference/templates';
import type { AppError, Problem } from '@contract/errors';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { DurableKey, TimerKey } from '@contract/run/keys';
import type { GateState, TurnState } from '@contract/run/state';
import type { FeatureSlices } from '@features/contract';
import type { z } from 'zod';
import type { AgentRef, StepDecisions } from './decision';
import type { OutputFormat } from './output/output-format';
import type { ShownCut } from './output/plain-output';
import type { ScopesView, StepBody } from './scope';

/** An answered turn. Resent turns count once, with the final answer. */
export interface AnsweredTurn {
  readonly turnId: number;
  readonly ordinal: number;
  readonly response: string;
  readonly usage: Usage | null;
  readonly commit: string | null;
  readonly changes: TurnChanges | null;
  /** Commands that the agent ran. */
  readonly commands: readonly RanCommand[];
  readonly finishedAt: number | null;
}

/** One agent of a step with several: its own chain of turns in its own session. */
export interface LaneView {
  readonly turns: readonly AnsweredTurn[];
  readonly sessionKey: string | null;
  /** The newest turn, if its agent ended it after too many requests: not an answer, but work was done. */
  readonly spent: AnsweredTurn | null;
  /** Key of this lane's session in the step's previous activation. */
  readonly previousSessionKey: string | null;
  /** The newest turn, answered or not. */
  readonly last: {
    readonly turnId: number;
    readonly status: TurnState['status'];
    readonly startedAt: number;
    readonly finishedAt: number | null;
    /** It did not end well, and is to be sent once more: the operator took the lane up again. */
    readonly again: boolean;
    /**
     * The newest of the turns it replaces that hit a provider's limit or a missing login: its lane waited
     * then.
     */
    readonly waitedAt: number | null;
    readonly cancelledBy: string | null;
    /** It is in flight, or will be resent, or the operator is asked whether to resend it. */
    readonly pending: boolean;
  } | null;
  /** Whether the newest turn waits for the operator's answer, and its last gate. */
  readonly held: { readonly now: boolean; readonly lastGate: number | null };
  /** A prompt of the operator's is in flight in its session, or queued. */
  readonly prompted: 'in_flight' | 'queued' | null;
  /** Its process was restarted since the last turn, so it may have lost what was told only once. */
  readonly resumed: boolean;
  /** Its agent compacted its context since the turn before last; likewise. */
  readonly compacted: boolean;
  /** Why it failed permanently. */
  readonly broken: AppError | null;
  /** How often it was resumed after a failure since its newest turn. */
  readonly retried: number;
}

/** A gate of the step itself, by its `about`. */
export interface AskedGate {
  readonly gateId: number;
  readonly status: GateState['status'];
  readonly answer: GateAnswer | null;
  /** It was asked before the operator resumed the step. */
  readonly earlier: boolean;
  readonly openedAt: number;
}

export interface SetTimer {
  readonly dueAt: number;
  readonly fired: boolean;
  readonly heardAt: number | null;
}

/** A completed capture of a workspace, or its error. */
export interface EndedCapture {
  readonly id: number;
  readonly name: string;
  readonly diff: TakenDiff | null;
  readonly files: readonly FileChange[];
  /** What the diff does not show. */
  readonly notes: readonly string[];
  readonly error: AppError | null;
}

export interface EndedCommand {
  readonly about?: string;
  readonly outcome: RunEventOf<'command.finished'>['outcome'];
  readonly exitCode: number | null;
  /** Plain text without its last line end. */
  readonly output: string | ShownCut;
  readonly outputPath: string | null;
  readonly error: AppError | null;
}

export interface HistoryEntry {
  readonly stepId: string;
  readonly title: string;
  readonly text: string;
}

/** Everything that a step module may know for its decision. */
export interface ActivationView<C> {
  readonly stepId: string;
  readonly title: string;
  readonly activationId: number;
  readonly attempt: number;
  readonly config: C;
  /** The required format of its answer; null if it may be any text. */
  readonly format: OutputFormat | null;
  /** The content of the input ports. */
  readonly inputs: Readonly<Record<string, readonly ContextBundle[]>>;
  /** Output ports that have a cable. */
  readonly connected: ReadonlySet<string>;
  /** How often this step has led back before. */
  readonly revisions: number;
  /** One entry per earlier activation that is neither on an input port nor known to the continued session. */
  readonly history: readonly HistoryEntry[];
  readonly projectContext: string | null;
  /** The operator's text at the run's start; only for steps without predecessors. */
  readonly request: string | null;
  /** The same text for every step: the variable ARGUMENTS. */
  readonly arguments: string;
  /** Whether a whole bundle is already in the session that this activation continues. */
  isInSession(bundle: ContextBundle): boolean;
  /** The step's own last `data_out`, if it must be revised in a session that has not seen it. */
  readonly toRevise: string | null;
  readonly requestAttachments: readonly Attachment[];
  readonly turns: readonly AnsweredTurn[];
  readonly captures: readonly EndedCapture[];
  /** How many prompts Muster sent in this activation; resends after an interruption count once. */
  readonly promptsSent: number;
  readonly commands: readonly EndedCommand[];
  /** The scopes that it has opened; only for a step with a body. */
  readonly scopes: ScopesView;
  /** Variables of the enclosing scopes. Commands get them in their environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly gates: readonly { readonly answer: GateAnswer | null }[];
  /** Key of the activation's session, once there is one. */
  readonly sessionKey: string | null;
  /** Key of the session of the step's previous activation. */
  readonly previousSessionKey: string | null;
  /** An attachment's properties, recorded when the run started. */
  attachment(path: string): Attachment | null;
  /** Only for steps with several agents; the turns above then belong to no lane. */
  lane(name: string): LaneView;
  /** The status of one of the activation's turns. */
  turnStatus(turnId: number): TurnState['status'] | null;
  /** A template that was expanded after the start under this name; null before that. */
  laterText(name: string): string | null;
  /** The newest gate with this key. */
  gateByKey(about: DurableKey): AskedGate | null;
  /** The newest timer with this key. */
  timer(purpose: TimerKey): SetTimer | null;
  /** What a feature keeps for this activation, after its first event. */
  part<N extends keyof FeatureSlices>(slice: N): FeatureSlices[N][number] | null;
  /** Its feature is idle without having ended: nothing works or waits in it. */
  readonly resting: boolean;
  readonly workspaceMode: WorkspaceMode;
  /** The run's prompt texts, by id. */
  promptText(id: string): string | null;
  /** The time of the run's last event, in milliseconds since 1970. */
  readonly now: number;
  /** The title of a step of the run, by its key. */
  stepTitle(key: string): string;
  /** The display name of an agent profile. */
  agentName(profileId: string | null): string;
  /** Whether agents of a profile can use Muster's own tools. */
  takesTools(profileId: string | null): boolean;
  /** How an agent of a profile is kept from writing while it may only read. */
  readingHold(profileId: string | null): ReadingHold;
}

export interface SessionUse {
  readonly persist: boolean;
  readonly continues: boolean;
  /** Sessions are parked at the end instead of closed. */
  readonly parks?: boolean;
  /** False: its agents' sessions are private, and no output refers to one. */
  readonly gives?: boolean;
}

/** A turn that has just ended, successfully or not, with the view that includes it. */
export interface ObservedTurn {
  readonly turnId: number;
  readonly ordinal: number;
  readonly of: number;
  readonly completed: boolean;
  readonly ended: Exclude<TurnState['status'], 'in_flight'>;
  /** How often its prompt was sent before it. */
  readonly retry: number;
  readonly response: string;
  /** Includes the text from before an interruption. */
  readonly whole: string;
  readonly usage: Usage | null;
  readonly commit: string | null;
  readonly errorText: string | null;
  readonly lane: string | null;
}

export interface ModuleProblem extends Omit<Problem, 'where'> {
  /** Path inside the step's configuration, for example `re_prompts[2]`. */
  readonly path?: string;
}

/** What a module may know of the graph during validation. */
export interface GraphContext {
  /**
   * The steps whose sessions produced a port's input, even if other steps pass it on, with those sessions'
   * agents; a step without agents has no session to continue.
   */
  sessionsOf(port: string): readonly { readonly stepId: string; readonly agents: readonly AgentRef[] }[];
  hasProfile(id: string): boolean;
  profile(id: string): AgentProfile | null;
  readonly defaultProfile: string | null;
  readonly workspace: WorkspaceMode;
  /** Whether the step has an `output_format`. */
  readonly hasFormat: boolean;
  /** The step is in another step's body. */
  readonly inBody: boolean;
  /** How many steps of the workflow work at the same time. */
  readonly maxParallel: number;
}

/**
 * One kind of step. A module decides and never acts: the executor runs the requested turn, command or gate,
 * commits the result, and asks again. An activation can therefore resume from its events at any point.
 */
interface StepModule<C = never> {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly config: z.ZodType<C>;
  /** What an interrupted turn or command does by default; null: depends on what the agent can do. */
  readonly onInterrupt: InterruptPolicy | null;
  /** Its commands have no relevant side effects: an interrupted one runs again without a question. */
  readonly repeatsCommands?: boolean;
  /** `lane`: if an agent fails, its step continues without it. */
  readonly laneFailure?: 'step' | 'lane';
  /** The fields in which references are expanded. */
  readonly templates?: readonly TemplateField[];
  /** It needs folders, tools or processes, which a dry run does not have. */
  readonly worksOutside?: boolean;
  /** It checks its answer by its step's `output_format`; without this a step may have none. */
  readonly takesFormat?: boolean;
  /** The fields that its output always has; null or absent if its output is any text. */
  declares?(config: C): readonly string[] | null;
  ports(config: C): { readonly inputs: readonly PortSpec[]; readonly outputs: readonly PortSpec[] };
  validate?(config: C, graph: GraphContext): readonly ModuleProblem[];
  /** Reasons to reject the raw configuration before parsing: terms of earlier versions. */
  refuse?(raw: unknown): readonly ModuleProblem[];
  /** Edits that migrate such a configuration to this version; empty if none are needed. */
  migrate?(raw: unknown): readonly ConfigEdit[];
  /** Profiles that the step names. */
  agents?(config: C): readonly AgentRef[];
  /**
   * `persist`: a re-activation continues in the same session. `continues`: it uses the session of its
   * `data_in`.
   */
  sessions?(config: C): SessionUse;
  /** Files that must exist before the run starts, with their path in the configuration. */
  files?(config: C): readonly { readonly file: string; readonly path: string }[];
  /** The ids of its prompt texts, which are frozen when the run starts. */
  prompts?(config: C): readonly string[];
  /** The steps that it runs in scopes; null if this configuration has none. */
  body?(config: C): StepBody | null;
  /** Its agents or the operator may add agents that it does not name: the run keeps all existing profiles. */
  spawns?(config: C): boolean;
  /** Why its work cannot run on a remote host; null if it can, or needs no folder. Absent: it cannot yet. */
  notOnHost?(config: C): string | null;
  decide(view: ActivationView<C>): StepDecisions;
  /**
   * How it ends if an agent stopped by itself after too many requests: as at its own cap, with its results so
   * far.
   */
  spent?(view: ActivationView<C>, error: AppError): StepDecisions;
  /** Events committed with a turn's end: progress and updates. */
  observe?(view: ActivationView<C>, turn: ObservedTurn): readonly RunEvent[];
  /** Events committed with a scope's end. */
  observeScope?(view: ActivationView<C>, index: number | null): readonly RunEvent[];
}

/** A module without its configuration type: the form kept in a registry. */
export interface AnyStepModule {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly config: z.ZodType;
  readonly onInterrupt: InterruptPolicy | null;
  readonly repeatsCommands: boolean;
  readonly laneFailure: 'step' | 'lane';
  readonly templates: readonly TemplateField[];
  readonly takesFormat: boolean;
  readonly worksOutside: boolean;
  refuse?(raw: unknown): readonly ModuleProblem[];
  migrate?(raw: unknown): readonly ConfigEdit[];
  bind(config: unknown): BoundStep;
}

/** A module with its parsed configuration, which its views must contain. */
export interface BoundStep {
  readonly config: unknown;
  readonly ports: { readonly inputs: readonly PortSpec[]; readonly outputs: readonly PortSpec[] };
  readonly agents: readonly AgentRef[];
  readonly sessions: SessionUse;
  readonly files: readonly { readonly file: string; readonly path: string }[];
  readonly prompts: readonly string[];
  readonly spawns: boolean;
  readonly declares: readonly string[] | null;
  readonly body: StepBody | null;
  readonly notOnHost: string | null;
  validate(graph: GraphContext): readonly ModuleProblem[];
  decide(view: ActivationView<unknown>): StepDecisions;
  /** Null if the module does not define it. */
  spent(view: ActivationView<unknown>, error: AppError): StepDecisions | null;
  observe(view: ActivationView<unknown>, turn: ObservedTurn): readonly RunEvent[];
  observeScope(view: ActivationView<unknown>, index: number | null): readonly RunEvent[];
}

const NOT_YET = 'steps of this type do not run on a host yet';

/**
 * Hides a module's configuration type behind `bind`, so that the executor can hold all kinds of modules in
 * one table.
 */
export function defineStep<C>(module: StepModule<C>): AnyStepModule {
  return {
    type: module.type,
    version: module.version,
    title: module.title,
    description: module.description,
    config: module.config,
    onInterrupt: module.onInterrupt,
    repeatsCommands: module.repeatsCommands ?? false,
    laneFailure: module.laneFailure ?? 'step',
    templates: module.templates ?? [],
    takesFormat: module.takesFormat ?? false,
    worksOutside: module.worksOutside ?? false,
    refuse: (raw) => module.refuse?.(raw) ?? [],
    migrate: (raw) => module.migrate?.(raw) ?? [],
    bind(parsed) {
      const config = parsed as C;
      const known = (view: ActivationView<unknown>) => view as ActivationView<C>;
      return {
        config,
        ports: module.ports(config),
        agents: module.agents?.(config) ?? [],
        sessions: module.sessions?.(config) ?? { persist: false, continues: false },
        files: module.files?.(config) ?? [],
        prompts: module.prompts?.(config) ?? [],
        spawns: module.spawns?.(config) ?? false,
        declares: module.declares?.(config) ?? null,
        body: module.body?.(config) ?? null,
        notOnHost: module.notOnHost === undefined ? NOT_YET : module.notOnHost(config),
        validate: (graph) => module.validate?.(config, graph) ?? [],
        decide: (view) => module.decide(known(view)),
        spent: (view, error) => module.spent?.(known(view), error) ?? null,
        observe: (view, turn) => module.observe?.(known(view), turn) ?? [],
        observeScope: (view, index) => module.observeScope?.(known(view), index) ?? [],
      };
    },
  };
}

export type StepRegistry = ReadonlyMap<string, AnyStepModule>;
