import * as acp from '@agentclientprotocol/sdk';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { AppError } from '@contract/errors';
import type { WorkspaceFiles } from '../../../core/ports/files';
import type { Logger, PermissionAnswer, SessionListener } from '../../../core/ports/ports';
import { failureClass } from '../../failure-table';
import { formsOf, type GrantRequest, grantsOf, lineOf } from '../permission/grants';
import {
  chooseOption,
  decideByPolicy,
  describePermission,
  isEdit,
  type Policy,
  type Reach,
} from '../permission/permission';
import { editsInside, placesOf } from '../permission/places';
import type { AcpTurn } from '../turn/acp-turn';
import { mergeTool, type ToolState } from '../turn/tool-calls';
import type { ClientSide } from './connection';
import type { TerminalHost } from './terminal-host';
import type { TransportListener } from './transport';
import {
  knownUpdates,
  type SessionUpdate,
  sessionUpdateSchema,
  toolUpdateSchema,
  updateParamsSchema,
} from './wire';

const LOGGED_MALFORMED = 5;
/** Token counts fluctuate a little; a drop by half means that the context was compacted. */
const MUCH_LESS = 0.5;
const CANCELLED: acp.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

interface ClientHostOptions {
  readonly key: string;
  readonly policy: Policy;
  /** The session's folder. */
  readonly cwd: string;
  /** Folders that the agent may access through Muster. */
  readonly roots: readonly string[];
  /** Those that it may write without asking, whatever the profile says. Excludes Muster's own logs. */
  readonly unasked: readonly string[];
  readonly files: WorkspaceFiles;
  readonly terminals: TerminalHost;
  readonly listener: SessionListener;
  readonly logger: Logger;
  /** Removes secrets from logged text. */
  redact(text: string): string;
  /** Text that comes after the end of a turn is gathered this long. */
  readonly lateMs: number;
}

/** Muster's side of a session: processes the agent's updates and answers its requests. */
export class ClientHost implements ClientSide, TransportListener {
  #sessionId: string | null = null;
  #turn: AcpTurn | null = null;
  /** The latest turn that ended. */
  #earlier: AcpTurn | null = null;
  #malformed = 0;
  #costUsd: number | null = null;
  /** Last reported number of tokens in the agent's context. */
  #context = 0;
  #compacted = false;

  constructor(private readonly options: ClientHostOptions) {}

  /** Number of unreadable lines and updates since the session's start. */
  get malformedCount(): number {
    return this.#malformed;
  }

  /** The session's total cost, if the agent reports it. */
  get costUsd(): number | null {
    return this.#costUsd;
  }

  /** Whether the agent has compacted its context since the last call. */
  takeCompacted(): boolean {
    const compacted = this.#compacted;
    this.#compacted = false;
    return compacted;
  }

  #uses({ used, cost }: Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>): void {
    if (cost?.currency === 'USD') this.#costUsd = cost.amount;
    if (used == null) return;
    // An agent's context only grows until it is compacted.
    if (used < this.#context * MUCH_LESS) this.#compacted = true;
    this.#context = used;
  }

  attach(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  begin(turn: AcpTurn): void {
    this.#turn = turn;
  }

  finish(): void {
    this.#earlier = this.#turn ?? this.#earlier;
    this.#turn = null;
  }

  activity(): void {
    this.#turn?.touch();
  }

  malformed(detail: string): void {
    this.#malformed += 1;
    if (this.#malformed > LOGGED_MALFORMED) return;
    const { key, logger, redact } = this.options;
    logger.warn('malformed message from an agent', { session: key, detail: redact(detail) });
  }

  /**
   * Updates before the first turn (the replay of a loaded session) are history that Muster already has. Those after
   * the end of a turn, and later ones of its messages, never become a part of the next response.
   */
  update(params: unknown): void {
    const envelope = updateParamsSchema.safeParse(params);
    if (!envelope.success) return this.malformed(envelope.error.message);
    const { sessionId, update } = envelope.data;
    if (sessionId !== this.#sessionId || !knownUpdates.has(update.sessionUpdate)) return;
    const parsed = sessionUpdateSchema.safeParse(update);
    if (!parsed.success) return this.malformed(`${update.sessionUpdate}: ${parsed.error.message}`);
    if (parsed.data.sessionUpdate === 'usage_update') this.#uses(parsed.data);
    const isLate = this.#turn === null || this.#earlier?.recorder.hasMessage(parsed.data) === true;
    if (isLate) this.#earlier?.recorder.late(parsed.data, this.options.lateMs);
    else if (this.#turn) take(this.#turn, parsed.data);
  }

  async permission(params: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> {
    const turn = this.#turn;
    const update = toolUpdateSchema.safeParse(params.toolCall);
    if (!turn || !update.success || params.sessionId !== this.#sessionId) return CANCELLED;
    turn.began();
    const tool = mergeTool(turn.recorder.tool(update.data.toolCallId), update.data);
    turn.recorder.toolUpdate(update.data);
    const answer = await this.#decide(turn, tool);
    if (answer?.allow === false) turn.refuse(tool.title || tool.kind, answer.reason);
    const { policy, cwd } = this.options;
    if (answer?.allow && policy.ownCheckout) turn.grant(grantsOf(tool, await this.#request(tool), cwd));
    return answer === null ? CANCELLED : { outcome: chooseOption(params.options, answer) };
  }

  async readTextFile(params: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse> {
    const attached = this.#turn?.attached ?? [];
    const read = await this.options.files.readText(params.path, [...this.options.roots, ...attached]);
    if (!read.ok) throw requestError(read.error, params.path);
    return { content: excerpt(read.value, params) };
  }

  async writeTextFile(params: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse> {
    const { cwd, files, unasked } = this.options;
    await this.#admitWrite(params);
    const written = await files.writeText(params.path, params.content, [cwd, ...unasked]);
    if (!written.ok) throw requestError(written.error, params.path);
    return {};
  }

  async createTerminal(params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse> {
    const line = lineOf(params);
    const tool = {
      ...unannounced('terminal/create', 'execute'),
      title: line,
      rawInput: { command: line, cwd: params.cwd ?? null },
    };
    const { cwd = this.options.cwd } = await this.#request(tool);
    const { files, roots } = this.options;
    const inside = params.cwd == null || (await files.inside(params.cwd, roots));
    await this.#admit({ forms: formsOf(params), cwd }, tool, inside);
    return this.options.terminals.create(params, () => this.activity());
  }

  terminalOutput(params: acp.TerminalOutputRequest): Promise<acp.TerminalOutputResponse> {
    return this.options.terminals.output(params);
  }

  waitForTerminalExit(params: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse> {
    return this.options.terminals.waitForExit(params);
  }

  killTerminal(params: acp.KillTerminalRequest): Promise<acp.KillTerminalResponse> {
    return this.options.terminals.kill(params);
  }

  releaseTerminal(params: acp.ReleaseTerminalRequest): Promise<acp.ReleaseTerminalResponse> {
    return this.options.terminals.release(params);
  }

  /** Null if the turn was stopped before an answer came. */
  async #decide(
    turn: AcpTurn,
    tool: ToolState,
    policy = this.options.policy,
  ): Promise<PermissionAnswer | null> {
    const decision = decideByPolicy(policy, tool.kind, await this.#reach(tool));
    if (decision === 'ask') return turn.waitFor(this.#ask(turn, tool));
    return { allow: decision === 'allow' || (await this.#isOwnTool(tool)), always: false, reason: null };
  }

  async #reach(tool: ToolState): Promise<Reach> {
    if (!isEdit(tool.kind)) return 'inside';
    const { cwd, files, unasked } = this.options;
    if (await editsInside(tool, { cwd, files, roots: unasked })) return 'unasked';
    return (await editsInside(tool, { cwd, files, roots: [cwd, ...unasked] })) ? 'inside' : 'outside';
  }

  async #ask(turn: AcpTurn, tool: ToolState): Promise<PermissionAnswer> {
    return this.options.listener.permission(turn.id, await this.#request(tool));
  }

  /** A profile's restrictions apply to the agent's own actions, not to Muster's tools. */
  async #isOwnTool(tool: ToolState): Promise<boolean> {
    const { ownTool } = this.options.listener;
    return ownTool?.(await this.#request(tool)) === true;
  }

  async #request(tool: ToolState): Promise<PermissionRequest> {
    const { cwd, files } = this.options;
    return { ...describePermission(tool), ...(await placesOf(tool, { cwd, files })) };
  }

  async #admitWrite(params: acp.WriteTextFileRequest): Promise<void> {
    const { files, roots, policy } = this.options;
    const before = policy.ownCheckout ? await files.readText(params.path, roots) : null;
    await this.#admit(params, {
      ...unannounced('fs/write_text_file', 'edit'),
      title: `Write ${params.path}`,
      locations: [params.path],
      content: [
        {
          type: 'diff',
          path: params.path,
          oldText: before?.ok ? before.value : null,
          newText: params.content,
        },
      ],
    });
  }

  /**
   * Writes and commands through Muster for which the agent has not requested permission. In a worktree they
   * are allowed; in the operator's checkout each needs permission, unless it was just given: one permission
   * is for one write or command. A command outside of the session's folder counts like one in the checkout.
   */
  async #admit(what: GrantRequest, tool: ToolState, inside = true): Promise<void> {
    const policy = { ...this.options.policy, ...(inside ? {} : { ownCheckout: true }) };
    if (policy.permissions === 'deny' || policy.readOnly) throw refusal('the profile does not allow it');
    if (!policy.ownCheckout || this.#turn?.takeGrant(what)) return;
    if (!this.#turn) throw refusal('no turn is under way');
    const answer = await this.#decide(this.#turn, tool, policy);
    if (!answer?.allow) throw refusal(answer?.reason ?? 'the operator did not allow it');
  }
}

/** Updates that an agent may send before its model has answered. */
const BEFORE_WORK = new Set(['usage_update', 'session_info_update', 'notice']);

/** After a failed turn, text without a message id is the agent's explanation. */
function take(turn: AcpTurn, update: SessionUpdate): void {
  if (!BEFORE_WORK.has(update.sessionUpdate)) turn.began();
  if (update.sessionUpdate === 'notice' && failureClass(noticeOf(update)) !== null)
    turn.flight.troubled(noticeOf(update));
  const status =
    update.sessionUpdate === 'session_info_update' ? update._meta?.codex?.threadStatus?.type : null;
  if (status) turn.heard({ failed: status === 'systemError' });
  if (update.sessionUpdate === 'agent_message_chunk' && update._meta?.usage) turn.used(update._meta.usage);
  const says = update.sessionUpdate === 'agent_message_chunk' && !update.messageId;
  if (says && turn.trouble !== null) turn.heard({ text: update.content });
  else turn.recorder.update(update);
}

const noticeOf = ({ title, description }: Extract<SessionUpdate, { sessionUpdate: 'notice' }>): string =>
  description ? `${title}: ${description}` : title;

function unannounced(name: string, kind: string): ToolState {
  return {
    id: name,
    name,
    title: name,
    kind,
    status: 'pending',
    content: [],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    printed: '',
    exitCode: null,
  };
}

const refusal = (reason: string) => acp.RequestError.invalidRequest(undefined, `refused: ${reason}`);

function requestError(error: AppError, path: string): acp.RequestError {
  if (error.code === 'not_found') return acp.RequestError.resourceNotFound(path);
  if (error.code === 'input.invalid') return acp.RequestError.invalidParams(undefined, error.message);
  return acp.RequestError.internalError(undefined, error.message);
}

/** `line` counts from 1. */
function excerpt(
  text: string,
  range: { readonly line?: number | null; readonly limit?: number | null },
): string {
  if (range.line == null && range.limit == null) return text;
  const start = Math.max(0, (range.line ?? 1) - 1);
  const lines = text.split('\n');
  return lines.slice(start, range.limit == null ? undefined : start + range.limit).join('\n');
}
