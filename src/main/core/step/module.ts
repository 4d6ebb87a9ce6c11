import type { ReadingHold } from '@contract/catalog/permission-capabilities';
import type { AgentProfile } from '@contract/catalog/profile';
import type { AppError, Problem } from '@contract/errors';
import type { GateAnswer } from '@contract/gate/gate';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { DurableKey, TimerKey } from '@contract/run/keys';
import type { RunRules } from '@contract/run/rules';
import type { GateState, TurnState } from '@contract/run/state';
import type { Attachment, Usage } from '@contract/session/session';
import type { ContextBundle, InterruptPolicy, PortSpec, WorkspaceMode } from '@contract/workflow/definition';
import type { ConfigEdit } from '@contract/workflow/migration';
import type { FileChange, RanCommand, TakenDiff, TurnChanges } from '@contract/workspace/changes';
import type { FeatureSlices } from '@features/contract';
import type { z } from 'zod';
import type { TemplateField } from '../reference/templates';
import type { AgentRef, StepDecisions } from './decision';
import type { OutputFormat } from './output-format';
import type { ScopesView, StepBody } from './scope';

/** A turn that was answered. Turns that were sent again count once, with the answer that came in the end. */
export interface AnsweredTurn {
  readonly turnId: number;
  readonly ordinal: number;
  readonly response: string;
  readonly usage: Usage | null;
  readonly commit: string | null;
  readonly changes: TurnChanges | null;
  /** What the agent ran by itself. */
  readonly commands: readonly RanCommand[];
  readonly finishedAt: number | null;
}

/** One agent of a step that has several: its own chain of turns in a session of its own. */
export interface LaneView {
  readonly turns: readonly AnsweredTurn[];
  readonly sessionKey: string | null;
  /** The newest turn, where its agent ended it because of too many requests: it is no answer, but work was done in it. */
  readonly spent: AnsweredTurn | null;
  /** Key of the session that this lane had in the step's previous activation. */
  readonly previousSessionKey: string | null;
  /** The newest turn, answered or not. */
  readonly last: {
    readonly turnId: number;
    readonly status: TurnState['status'];
    readonly startedAt: number;
    readonly finishedAt: number | null;
    /** It did not end well, and is to be sent once more: the operator took the lane up again. */
    readonly again: boolean;
    /** The newest turn that it is in for which met a provider's limit or a missing login: its lane waited then. */
    readonly waitedAt: number | null;
    readonly cancelledBy: string | null;
    /** It is in flight, or is sent again, or the operator is asked whether it is. */
    readonly pending: boolean;
  } | null;
  /** Whether the newest turn waits for the operator's answer, and the gate at which it last did. */
  readonly held: { readonly now: boolean; readonly lastGate: number | null };
  /** A prompt of the operator's own is in flight in its session, or waits for it. */
  readonly prompted: 'in_flight' | 'queued' | null;
  /** Its process was started again since the last turn: it may have lost what was told only once. */
  readonly resumed: boolean;
  /** Its agent made room in its context since the last turn but one: the same holds. */
  readonly compacted: boolean;
  /** Why it failed for good. */
  readonly broken: AppError | null;
  /** How often it was resumed since its newest turn, after it had failed. */
  readonly retried: number;
}

/** A question of the step's own, by its `about`. */
export interface AskedGate {
  readonly gateId: number;
  readonly status: GateState['status'];
  readonly answer: GateAnswer | null;
  /** It was asked before the operator took the step up again. */
  readonly earlier: boolean;
  readonly openedAt: number;
}

export interface SetTimer {
  readonly dueAt: number;
  readonly fired: boolean;
  readonly heardAt: number | null;
}

/** What was taken of a workspace; with an error where it could not be. */
export interface EndedCapture {
  readonly name: string;
  readonly diff: TakenDiff | null;
  readonly files: readonly FileChange[];
  readonly filesTruncated: boolean;
  readonly error: AppError | null;
}

export interface EndedCommand {
  readonly commandId: number;
  readonly about?: string;
  readonly outcome: RunEventOf<'command.finished'>['outcome'];
  readonly exitCode: number | null;
  readonly output: string;
  readonly outputPath: string | null;
  readonly error: AppError | null;
}

export interface HistoryEntry {
  readonly stepId: string;
  readonly title: string;
  readonly text: string;
}

/** All that a step module may know when it decides. */
export interface ActivationView<C> {
  readonly stepId: string;
  readonly title: string;
  readonly activationId: number;
  readonly attempt: number;
  readonly config: C;
  /** The form that its answer must have; null where it may be any text. */
  readonly format: OutputFormat | null;
  /** What is on the input ports. */
  readonly inputs: Readonly<Record<string, readonly ContextBundle[]>>;
  /** Output ports that have a cable. */
  readonly connected: ReadonlySet<string>;
  /** How often this step has led back before. */
  readonly revisions: number;
  /** One entry for each earlier activation that is neither on an input port nor known to the continued session. */
  readonly history: readonly HistoryEntry[];
  readonly projectContext: string | null;
  /** What the operator wrote when they started the run; only for steps that nothing leads to. */
  readonly request: string | null;
  /** The rules for prompts and updates under which the run began. */
  readonly rules: RunRules;
  /** The same, for every step: the variable ARGUMENTS. */
  readonly arguments: string;
  /** Whether all of a bundle was said in the session that this activation continues. */
  said(bundle: ContextBundle): boolean;
  /** The step's own last `data_out`, where it is to be revised in a session that has not said it. */
  readonly toRevise: string | null;
  readonly requestAttachments: readonly Attachment[];
  readonly turns: readonly AnsweredTurn[];
  readonly captures: readonly EndedCapture[];
  /** How many prompts Muster sent in this activation; one that was sent again after a break counts once. */
  readonly promptsSent: number;
  readonly commands: readonly EndedCommand[];
  /** The scopes that it has opened; only of a step with a body. */
  readonly scopes: ScopesView;
  /** Variables of the scopes that the step is in. Commands get them in their environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly gates: readonly { readonly title: string; readonly answer: GateAnswer | null }[];
  /** Key of the session that the activation works in, once there is one. */
  readonly sessionKey: string | null;
  /** Key of the session that the step's previous activation worked in. */
  readonly previousSessionKey: string | null;
  /** Reads an attachment's facts, which were taken when the run started. */
  attachment(path: string): Attachment | null;
  /** Only steps with several agents ask for lanes; the turns above are then of no lane. */
  lane(name: string): LaneView;
  /** How one of the activation's turns ended, or that it continues. */
  turnStatus(turnId: number): TurnState['status'] | null;
  /** A template that was expanded after the start under this name; null before that. */
  laterText(name: string): string | null;
  /** The newest gate with this key. */
  asked(about: DurableKey): AskedGate | null;
  /** The newest timer with this key. */
  timer(purpose: TimerKey): SetTimer | null;
  /** What a feature keeps of this activation, once anything happened in it. */
  part<N extends keyof FeatureSlices>(slice: N): FeatureSlices[N][number] | null;
  /** Its feature has come to rest without an end: nothing of it works, waits or is awaited. */
  readonly resting: boolean;
  readonly runName: string;
  readonly workspaceMode: WorkspaceMode;
  /** Prompt texts of the run, by their id. */
  promptText(id: string): string | null;
  /** The time of the run's last event, in milliseconds since 1970. */
  readonly now: number;
  /** The name of an agent profile, for people to read. */
  agentName(profileId: string | null): string;
  /** Whether agents of a profile are reached by tools of Muster's own. */
  takesTools(profileId: string | null): boolean;
  /** How an agent of a profile is kept from writing while it may only read. */
  readingHold(profileId: string | null): ReadingHold;
}

export interface SessionUse {
  readonly persist: boolean;
  readonly continues: boolean;
  /** Sessions are parked at the end, not closed. */
  readonly parks?: boolean;
  /** False: its agents' sessions are its own, and none goes out with what it made. */
  readonly gives?: boolean;
}

/** A turn that has just ended, well or not, with the view that includes it. */
export interface ObservedTurn {
  readonly turnId: number;
  readonly ordinal: number;
  readonly of: number;
  readonly completed: boolean;
  readonly ended: Exclude<TurnState['status'], 'in_flight'>;
  /** How often its prompt was sent before it. */
  readonly retry: number;
  readonly response: string;
  /** With what was said before it was cut off and continued. */
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

/** What a module may know of the graph when it validates. */
export interface GraphContext {
  /**
   * The steps in whose sessions that was made what comes to a port, also where others pass it on, with the agents of
   * those sessions; a step without any has none that could be continued.
   */
  sessionsOf(port: string): readonly { readonly stepId: string; readonly agents: readonly AgentRef[] }[];
  hasProfile(id: string): boolean;
  profile(id: string): AgentProfile | null;
  readonly defaultProfile: string | null;
  readonly workspace: WorkspaceMode;
  /** Whether the step has an `output_format`. */
  readonly hasFormat: boolean;
  /** It is in the body of another step. */
  readonly inBody: boolean;
}

/**
 * One kind of step. A module decides and never acts: the executor runs the turn, the command or the gate that it
 * asks for, commits the result, and asks again. So an activation resumes from its events at any place.
 */
export interface StepModule<C = never> {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly config: z.ZodType<C>;
  /** What a turn or command that was cut off does where the step says nothing; null: by what the agent can do. */
  readonly onInterrupt: InterruptPolicy | null;
  /** Its commands change nothing that counts: one that was cut off runs again without a question. */
  readonly repeatsCommands?: boolean;
  /** `lane`: an agent that fails is out, and its step continues without it. */
  readonly laneFailure?: 'step' | 'lane';
  /** The fields in which references are expanded. */
  readonly templates?: readonly TemplateField[];
  /** Its work needs folders, tools or processes of its own, which a dry run does not have. */
  readonly worksOutside?: boolean;
  /** It checks its answer by the `output_format` of its step; without this a step may have none. */
  readonly takesFormat?: boolean;
  /** The fields that its output always has; null or absent where its output is any text. */
  declares?(config: C): readonly string[] | null;
  ports(config: C): { readonly inputs: readonly PortSpec[]; readonly outputs: readonly PortSpec[] };
  validate(config: C, graph: GraphContext): readonly ModuleProblem[];
  /** What the configuration as it is in the file is refused for before it is parsed: words of earlier versions. */
  refuse?(raw: unknown): readonly ModuleProblem[];
  /** What brings such a configuration to this version; nothing where there is nothing to do. */
  migrate?(raw: unknown): readonly ConfigEdit[];
  /** Profiles that the step names. */
  agents(config: C): readonly AgentRef[];
  /** `persist`: a re-activation continues in the same session. `continues`: it takes up the session of its `data_in`. */
  sessions(config: C): SessionUse;
  /** Files that must exist before the run starts, with their path in the configuration. */
  files(config: C): readonly { readonly file: string; readonly path: string }[];
  /** Prompt texts that it uses, by id: frozen when the run starts. */
  prompts?(config: C): readonly string[];
  /** The steps that it runs in scopes of its own; null where this configuration has none. */
  body?(config: C): StepBody | null;
  /** Its agents or the operator may bring in agents that it does not name: the run keeps all profiles there are. */
  spawns?(config: C): boolean;
  decide(view: ActivationView<C>): StepDecisions;
  /** How it ends where an agent stopped by itself because of too many requests: as at its own cap, with what was made. */
  spent?(view: ActivationView<C>, error: AppError): StepDecisions;
  /** Events told in the same commit as a turn's end: progress and updates. */
  observe(view: ActivationView<C>, turn: ObservedTurn): readonly RunEvent[];
  /** Events told in the same commit as a scope's end. */
  observeScope?(view: ActivationView<C>, index: number | null): readonly RunEvent[];
}

/** A module whose configuration type is hidden: what a registry holds. */
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

/** A module together with a configuration that it has parsed, which the views that it is given must hold. */
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
  validate(graph: GraphContext): readonly ModuleProblem[];
  decide(view: ActivationView<unknown>): StepDecisions;
  /** Null where the module has no end of its own for it. */
  spent(view: ActivationView<unknown>, error: AppError): StepDecisions | null;
  observe(view: ActivationView<unknown>, turn: ObservedTurn): readonly RunEvent[];
  observeScope(view: ActivationView<unknown>, index: number | null): readonly RunEvent[];
}

/** Hides a module's configuration type behind `bind`, so that the executor holds modules of every kind in one table. */
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
        agents: module.agents(config),
        sessions: module.sessions(config),
        files: module.files(config),
        prompts: module.prompts?.(config) ?? [],
        spawns: module.spawns?.(config) ?? false,
        declares: module.declares?.(config) ?? null,
        body: module.body?.(config) ?? null,
        validate: (graph) => module.validate(config, graph),
        decide: (view) => module.decide(known(view)),
        spent: (view, error) => module.spent?.(known(view), error) ?? null,
        observe: (view, turn) => module.observe(known(view), turn),
        observeScope: (view, index) => module.observeScope?.(known(view), index) ?? [],
      };
    },
  };
}

export type StepRegistry = ReadonlyMap<string, AnyStepModule>;
