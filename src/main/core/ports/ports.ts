import type { AgentProfile } from '@contract/catalog/profile';
import type { AppError } from '@contract/errors';
import type { PermissionRequest } from '@contract/gate/gate';
import type { Result } from '@contract/result';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { ToolCalls } from '@contract/session/response';
import type {
  Attachment,
  Capabilities,
  ObservedState,
  Opening,
  SessionChoices,
  TranscriptItem,
  TurnOutcome,
  Usage,
} from '@contract/session/session';
import type { RanCommand } from '@contract/workspace/changes';
import type { NewRule } from './rules';
import type { ToolEndpoint } from './tools';

/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Calls back once at `at` or, after a sleep of the machine, as soon as it is past; the result cancels it. */
  at(at: number, run: () => void): () => void;
}

export interface Logger {
  info(message: string, detail?: Record<string, unknown>): void;
  warn(message: string, detail?: Record<string, unknown>): void;
  error(message: string, detail?: Record<string, unknown>): void;
}

/** New events of one run, and the state after them, from which the projections are written. */
export interface Append {
  readonly runId: number;
  /** The seq of the run's last event before these. */
  readonly expectedSeq: number;
  readonly events: readonly { readonly at: number; readonly event: RunEvent }[];
  readonly state: RunState;
  /** A rule of the operator's that was made with an answer: kept with these events or not at all. */
  readonly rule?: NewRule;
}

/**
 * The durable log. Appends that are made in one turn of the event loop share one transaction (group commit) and
 * resolve after its COMMIT, in order. A failed commit fails every append in it and leaves nothing behind.
 */
export interface EventLog {
  append(append: Append): Promise<Result<readonly StoredEvent[]>>;
  read(runId: number, afterSeq?: number): Iterable<StoredEvent>;
  /** Runs that have not ended. */
  unfinished(): readonly number[];
  /** Makes the row of a new run and gives its number. Written with the run's first append. */
  nextRunId(): number;
}

/** What a session needs to come to life. */
export interface SessionSpec {
  readonly runId: number;
  readonly sessionId: number;
  readonly key: string;
  readonly profile: AgentProfile;
  readonly model: string | null;
  readonly mode: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The operator's project, where scripts of a scripted agent are looked up. */
  readonly projectPath: string;
  /** It works in the operator's own checkout (`workspace: project`), where every write is asked for. */
  readonly ownCheckout?: boolean;
  /** The run's folder for logs and other artifacts. */
  readonly artifactsDir: string;
  /** Tools of Muster's own that the agent is given, over MCP. */
  readonly tools?: ToolEndpoint | null;
  /** Set when an earlier conversation is to be resumed. */
  readonly resume: {
    readonly providerSessionId: string | null;
    readonly turns: readonly {
      readonly prompt: string;
      readonly messages?: readonly string[] | undefined;
      readonly response: string;
    }[];
  } | null;
  /** What the conversation begins with. */
  readonly opening?: Opening | undefined;
  /**
   * Resolves where no one wants the session any more before it is open: its start is given up, with `cancelled`, and
   * nothing of it lives then.
   */
  readonly unwanted?: Promise<void>;
}

export interface SessionReady {
  readonly providerSessionId: string | null;
  readonly agent: string;
  readonly capabilities: Capabilities;
  /** False where the agent took up the earlier conversation. */
  readonly fresh: boolean;
  readonly notice: string | null;
  /** What it asks in its terminal before it can take a prompt; absent where it asks nothing. */
  readonly waitsFor?: string;
}

export interface TurnRequest {
  readonly turnId: number;
  readonly prompt: string;
  /** The user messages that the prompt joins. */
  readonly messages?: readonly string[] | undefined;
  readonly attachments: readonly Attachment[];
  /** The operator's own prompt: no part of what the step asks for. */
  readonly aside?: boolean;
}

export interface TurnResult {
  readonly outcome: TurnOutcome;
  readonly stopReason: string;
  readonly response: string;
  readonly usage: Usage | null;
  readonly error: AppError | null;
  readonly limitResetsAt: number | null;
  /** Commands that the agent ran by itself, in order; at most the last fifty. Absent where the agent tells of none. */
  readonly commands?: readonly RanCommand[];
  /** The agent has made room in its context: what it was told before it may know in short only. */
  readonly compacted?: boolean;
  /** Where its tool calls stand to the response; absent where the agent does not tell. */
  readonly toolCalls?: ToolCalls;
  /**
   * Why the turn has no result: the process of Muster's that held the agent died, not the agent. The turn is
   * interrupted and handled by the policy of its step; its session is lost, and nothing of its program lives.
   */
  readonly interrupted?: string;
}

/** The answer to a permission request: one of the agent's own options, or a refusal. */
export interface PermissionAnswer {
  readonly allow: boolean;
  readonly always: boolean;
  readonly reason: string | null;
}

/** How an agent in a turn was seen to be. */
export interface Seen {
  readonly state: ObservedState;
  readonly since: number;
  readonly reason: string;
  /** What is on its screen while it waits for the operator. */
  readonly screen: string | null;
}

export interface SessionListener {
  /** Items as they stream. Merged and held back at the source: at most about 30 calls a second. */
  items(turnId: number, items: readonly TranscriptItem[]): void;
  /** The agent asks for permission. Resolves when it was answered; never rejects. */
  permission(turnId: number, request: PermissionRequest): Promise<PermissionAnswer>;
  /**
   * Whether permission is asked for one of Muster's own tools, which the session was given to use: it is allowed whatever
   * the profile says. Absent: it was given none.
   */
  ownTool?(request: PermissionRequest): boolean;
  /** How the agent of a turn is seen to be, each time that it is looked at. */
  observed?(turnId: number, seen: Seen): void;
  /** The process is gone without having been asked to go. */
  lost(reason: string): void;
}

/** One live conversation with an agent. */
export interface Session {
  readonly ready: SessionReady;
  /** Modes and models that the agent lists; absent where it lists none. */
  readonly choices?: SessionChoices;
  /** One turn at a time. Resolves with how it ended; never rejects. */
  turn(request: TurnRequest): Promise<TurnResult>;
  /** Asks for the end of the turn in flight; after a few seconds its process group is ended. Resolves when the turn has ended. */
  cancel(): Promise<void>;
  /** Ends the process group and keeps what a resume needs. Resolves when no process of it lives. */
  park(): Promise<void>;
  close(): Promise<void>;
  /** How its program ended is in the log: no one need keep that for another core. */
  taken?(): void;
}

/** What the log says of a session that an earlier core had open. */
export interface SessionsPast {
  readonly providerSessionId: string | null;
  readonly agent: string | null;
  readonly capabilities: Capabilities | null;
  readonly notice: string | null;
  /** The turn that was sent, or was to be sent, and has no end; with what the agent had said in it. */
  readonly turn: (TurnRequest & { readonly streamed: readonly TranscriptItem[] }) | null;
}

/** How the turn in flight stands whose core is gone. */
export type TurnLeft =
  /** Nothing of it has reached the agent: it is sent now. */
  | { readonly kind: 'unsent' }
  /** The agent works on it, or has ended it meanwhile. `follow` is called once, and never rejects. */
  | { readonly kind: 'goes_on'; readonly follow: () => Promise<TurnResult> }
  | { readonly kind: 'cut'; readonly reason: string };

export interface Reattached {
  readonly session: Session;
  /** Null where none was in flight. */
  readonly turn: TurnLeft | null;
}

/** One kind of agent. Its processes and terminals are injected where it is composed. */
export interface AgentPort {
  readonly kind: AgentProfile['kind'];
  /** Fails with `unavailable` where the process of Muster's died that held the starting agent; then it is tried again. */
  open(spec: SessionSpec, listener: SessionListener): Promise<Result<Session>>;
  /**
   * A session of an earlier core whose program has outlived it. An error says why it cannot continue, and nothing of it
   * lives then; `not_found` where there is none. May wait about 2 s for who has it. An agent without this has no
   * program that outlives a core.
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
  /** Where the whole output goes. */
  readonly outputPath: string;
}

export type CommandResult = Omit<RunEventOf<'command.finished'>, 'type' | 'commandId'> & {
  /** Why the command has no result: what held it died. It is interrupted, and handled by the policy of its step. */
  readonly interrupted?: string;
};

export interface RunningCommand {
  /** Resolves when the whole process group has ended and its output is read. */
  readonly done: Promise<CommandResult>;
  /** Ends the process group: TERM, then KILL. */
  kill(reason: 'cancelled' | 'timed_out'): void;
  /** What `done` gave is in the log: no one need keep it for another core. */
  taken?(): void;
}

/** What the log says of a command that an earlier core began. */
export interface CommandsPast {
  readonly startedAt: number;
  /** Its run was being cancelled. */
  readonly cancelled: boolean;
}

export interface CommandPort {
  run(spec: CommandSpec): RunningCommand;
  /**
   * A command of an earlier core that outlived it: it runs, or it has ended and no one took its result. Null where there
   * is none; rejects never. May wait about 2 s for who has it. A port without this has nothing that outlives a core.
   */
  reattach?(spec: CommandSpec, past: CommandsPast): Promise<RunningCommand | null>;
}

/** Told after each commit, in order. */
export interface Publisher {
  committed(runId: number, events: readonly StoredEvent[], state: RunState): void;
  /** `from` is the index of the first item within its turn. */
  streamed(runId: number, what: { turnId: number; from: number; items: readonly TranscriptItem[] }): void;
}
