import type { AgentProfile } from '@areas/agents/contract/profile';
import type { RanCommand } from '@areas/changes/contract/changes';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { ToolCalls } from '@areas/sessions/contract/response';
import type {
  Attachment,
  Capabilities,
  ObservedState,
  Opening,
  SessionChoices,
  TranscriptItem,
  TurnOutcome,
  Usage,
} from '@areas/sessions/contract/session';
import type { OutputPart } from '@contract/bounds';
import type { AppError } from '@contract/errors';
import type { Result } from '@contract/result';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { NewRule } from './rules';
import type { ToolEndpoint } from './tools';
import type { HostedPlace } from './workspaces/hosted-place';

/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Calls back once at `at`, or as soon as possible after a sleep of the machine; the result cancels it. */
  at(at: number, run: () => void): () => void;
}

export interface Logger {
  info(message: string, detail?: Record<string, unknown>): void;
  warn(message: string, detail?: Record<string, unknown>): void;
  error(message: string, detail?: Record<string, unknown>): void;
}

/** New events of one run, and the resulting state for the projections. */
export interface Append {
  readonly runId: number;
  /** The seq of the run's last event before these. */
  readonly expectedSeq: number;
  readonly events: readonly { readonly at: number; readonly event: RunEvent }[];
  readonly state: RunState;
  /** A rule that the operator created with an answer: committed with these events or not at all. */
  readonly rule?: NewRule;
  /** Called where the events were not stored, before anything else can read the state that includes them. */
  readonly refused?: () => void;
}

/**
 * The durable log. Appends within one turn of the event loop share a transaction (group commit) and resolve
 * in order after its COMMIT. A failed commit fails all of its appends and leaves nothing behind.
 */
export interface EventLog {
  append(append: Append): Promise<Result<readonly StoredEvent[]>>;
  read(runId: number, afterSeq?: number): Iterable<StoredEvent>;
  /** Runs that have not ended. */
  unfinished(): readonly number[];
  /** Reserves the row number of a new run. Written with the run's first append. */
  nextRunId(): number;
  /** Writes pending appends now. */
  flush(): void;
}

/** Everything needed to open a session. */
export interface SessionSpec {
  readonly runId: number;
  readonly sessionId: number;
  readonly key: string;
  readonly profile: AgentProfile;
  readonly model: string | null;
  readonly mode: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Set if its agent works on a remote host, which has the folder's state. */
  readonly hosted?: HostedPlace;
  /** The operator's project, where a scripted agent's scripts are looked up. */
  readonly projectPath: string;
  /** It works in the operator's own checkout (`workspace: project`), where every write needs permission. */
  readonly ownCheckout?: boolean;
  /** The run's folder for logs and other artifacts. */
  readonly artifactsDir: string;
  /** Muster's own tools for the agent, over MCP. */
  readonly tools?: ToolEndpoint | null;
  /** Set to resume an earlier conversation. */
  readonly resume: {
    readonly providerSessionId: string | null;
    readonly turns: readonly {
      readonly prompt: string;
      readonly messages?: readonly string[] | undefined;
      readonly response: string;
    }[];
  } | null;
  /** The start of the conversation. */
  readonly opening?: Opening | undefined;
  /**
   * Resolves when the session is no longer wanted before it is open: its start is aborted with `cancelled`,
   * and no process is left.
   */
  readonly unwanted?: Promise<void>;
}

export interface SessionReady {
  readonly providerSessionId: string | null;
  readonly agent: string;
  readonly capabilities: Capabilities;
  /** False if the agent resumed the earlier conversation. */
  readonly fresh: boolean;
  readonly notice: string | null;
  /** The question in its terminal that blocks prompts; absent if there is none. */
  readonly waitsFor?: string;
}

export interface TurnRequest {
  readonly turnId: number;
  readonly prompt: string;
  /** The user messages that the prompt combines. */
  readonly messages?: readonly string[] | undefined;
  readonly attachments: readonly Attachment[];
  /** The operator's own prompt, outside of the step's chain. */
  readonly aside?: boolean;
}

export interface TurnResult {
  readonly outcome: TurnOutcome;
  readonly stopReason: string;
  readonly response: string;
  readonly usage: Usage | null;
  readonly error: AppError | null;
  readonly limitResetsAt: number | null;
  /**
   * Commands that the agent ran, in order; at most the last fifty. Absent if the agent does not report them.
   */
  readonly commands?: readonly RanCommand[];
  /** The agent compacted its context: it may remember earlier messages only in summary. */
  readonly compacted?: boolean;
  /** Order of its tool calls and the response; absent if the agent does not report it. */
  readonly toolCalls?: ToolCalls;
  /**
   * Why the turn has no result: Muster's process that held the agent died, not the agent. The turn counts as
   * interrupted and follows its step's policy; its session is lost, and its program has ended.
   */
  readonly interrupted?: string;
}

/** The answer to a permission request: one of the agent's own options, or a refusal. */
export interface PermissionAnswer {
  readonly allow: boolean;
  readonly always: boolean;
  readonly reason: string | null;
}

/** The observed state of an agent in a turn. */
export interface Seen {
  readonly state: ObservedState;
  readonly since: number;
  readonly reason: string;
  /** Its screen while it waits for the operator. */
  readonly screen: string | null;
}

export interface SessionListener {
  /** Streamed items. Merged and throttled at the source to about 30 calls a second. */
  items(turnId: number, items: readonly TranscriptItem[]): void;
  /** The agent requests permission. Resolves with the answer; never rejects. */
  permission(turnId: number, request: PermissionRequest): Promise<PermissionAnswer>;
  /**
   * Whether the request is for one of Muster's own tools that the session was given: those are always
   * allowed. Absent: it was given none.
   */
  ownTool?(request: PermissionRequest): boolean;
  /** The observed state of a turn's agent, at each observation. */
  observed?(turnId: number, seen: Seen): void;
  /** The process ended unexpectedly. */
  lost(reason: string): void;
}

/** One live conversation with an agent. */
export interface Session {
  readonly ready: SessionReady;
  /** Modes and models listed by the agent; absent if it lists none. */
  readonly choices?: SessionChoices;
  /** One turn at a time. Resolves with its result; never rejects. */
  turn(request: TurnRequest): Promise<TurnResult>;
  /**
   * Cancels the turn in flight; after a few seconds its process group is ended. Resolves when the turn has
   * ended.
   */
  cancel(): Promise<void>;
  /** Types the operator's answer to a question in its terminal. Absent if it has none. */
  type?(text: string, how: 'line' | 'keys'): void;
  /** Ends the process group and keeps what a resume needs. Resolves when none of its processes is left. */
  park(): Promise<void>;
  close(): Promise<void>;
  /** As for a command: the turn in flight ends as interrupted. */
  giveUp?(reason: string): void;
  /** The end of its program is in the log, so it need not be kept for another core. */
  taken?(): void;
}

/** What the log says about a session of an earlier core. */
export interface SessionsPast {
  readonly providerSessionId: string | null;
  readonly agent: string | null;
  readonly capabilities: Capabilities | null;
  readonly notice: string | null;
  /** The unfinished turn, sent or about to be, with what the agent streamed in it. */
  readonly turn: (TurnRequest & { readonly streamed: readonly TranscriptItem[] }) | null;
}

/** The state of a turn in flight whose core has died. */
export type TurnLeft =
  /** Nothing has reached the agent: send it now. */
  | { readonly kind: 'unsent' }
  /** The agent works on it, or has ended it meanwhile. `follow` is called once, and never rejects. */
  | { readonly kind: 'goes_on'; readonly follow: () => Promise<TurnResult> }
  | { readonly kind: 'cut'; readonly reason: string };

export interface Reattached {
  readonly session: Session;
  /** Null if none was in flight. */
  readonly turn: TurnLeft | null;
}

/** One kind of agent. The composition root injects its processes and terminals. */
export interface AgentPort {
  readonly kind: AgentProfile['kind'];
  /** Fails with `unavailable` if Muster's process that held the starting agent died; then it is retried. */
  open(spec: SessionSpec, listener: SessionListener): Promise<Result<Session>>;
  /**
   * A session of an earlier core whose program survived it. An error says why it cannot continue, and its
   * program has ended; `not_found` if there is none. May wait about 2 s for the process that holds it. Absent
   * if programs of this kind never survive a core.
   */
  reattach?(spec: SessionSpec, past: SessionsPast, listener: SessionListener): Promise<Result<Reattached>>;
}

export interface CommandSpec {
  readonly runId: number;
  readonly commandId: number;
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: boolean;
  readonly timeoutSeconds: number | null;
  /** Variables whose values are in files. */
  readonly envFiles?: Readonly<Record<string, string>>;
  /** Standard error is part of the output. */
  readonly joinsErrors?: boolean;
  /** Null: the output is taken whole. */
  readonly outputLimit?: OutputPart | null;
  /** The file for everything that is printed. */
  readonly outputPath: string;
  /** Set if it runs on a remote host. */
  readonly hosted?: HostedPlace;
}

export type CommandResult = Omit<RunEventOf<'command.finished'>, 'type' | 'commandId'> & {
  /**
   * Why the command has no result: the process that held it died. It counts as interrupted and follows its
   * step's policy.
   */
  readonly interrupted?: string;
};

export interface RunningCommand {
  /** Resolves when the whole process group has ended and its output is read. */
  readonly done: Promise<CommandResult>;
  /** Ends the process group: TERM, then KILL. */
  kill(reason: 'cancelled' | 'timed_out'): void;
  /** Its host cannot be reached: it ends as interrupted here, and there once the host is back. Absent if it runs here. */
  giveUp?(reason: string): void;
  /** The result of `done` is in the log, so it need not be kept for another core. */
  taken?(): void;
}

/** What the log says about a command of an earlier core. */
export interface CommandsPast {
  readonly startedAt: number;
  /** Its run was being cancelled. */
  readonly cancelled: boolean;
}

export interface CommandPort {
  run(spec: CommandSpec): RunningCommand;
  /**
   * A command of an earlier core that survived it, still running or with an unread result. Null if there is
   * none; never rejects. May wait about 2 s for the process that holds it. Absent if commands never survive a
   * core.
   */
  reattach?(spec: CommandSpec, past: CommandsPast): Promise<RunningCommand | null>;
}

/** How a command in a terminal ended. What it printed is read afterwards, from its file. */
export interface TerminalCommandEnd extends Omit<CommandResult, 'output' | 'errorOutput'> {
  /** Gives each stream's bytes in order. Resolves with the number of bytes that the terminal has dropped before them. */
  read(streams: { output(bytes: Uint8Array): void; errors(bytes: Uint8Array): void }): Promise<number>;
}

export interface RunningInTerminal extends Omit<RunningCommand, 'done'> {
  readonly done: Promise<TerminalCommandEnd>;
}

/** Like `CommandPort`, for commands in terminals. */
export interface TerminalCommandPort {
  run(spec: CommandSpec): RunningInTerminal;
  reattach(spec: CommandSpec, past: CommandsPast): Promise<RunningInTerminal | null>;
}

/** Called after each commit, in order. */
export interface Publisher {
  committed(runId: number, events: readonly StoredEvent[], state: RunState): void;
  /** `from` is the index of the first item within its turn. */
  streamed(runId: number, what: { turnId: number; from: number; items: readonly TranscriptItem[] }): void;
}
