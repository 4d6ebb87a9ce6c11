import { ResponseReader, type TurnResponse } from '@areas/sessions/contract/response';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { mergedItem } from '../../item-buffer';
import type { SessionUpdate, ToolUpdate } from '../connection/wire';
import { mergeTool, printsOnly, type ToolState, toToolCall } from './tool-calls';

interface RecorderOptions {
  emit(items: readonly TranscriptItem[]): void;
  /** Pauses and resumes the agent's output, so that a flood does not outrun the consumer. */
  hold(): void;
  release(): void;
  /** A client terminal's output, as far as known. */
  terminalOutput(id: string): string | null;
  readonly flushMs: number;
  /** Maximum characters waiting for the next delivery before the agent is paused. */
  readonly mostPending: number;
  /** Maximum characters of the response that are kept. */
  readonly mostResponse: number;
}

/**
 * Converts a turn's updates into items (merged, in order, delivered in batches), and extracts the response.
 */
export class Recorder {
  readonly #tools = new Map<string, ToolState>();
  #pending: TranscriptItem[] = [];
  #pendingChars = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #held = false;
  readonly #reader: ResponseReader;
  #saidChars = 0;
  readonly #messages = new Set<string>();
  #afterEnd = '';
  #lateTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly options: RecorderOptions) {
    this.#reader = new ResponseReader(options.mostResponse);
  }

  /** Adds a notice if the response was truncated. */
  takeResponse(): TurnResponse {
    const { cut, response, toolCalls } = this.#reader;
    const most = this.options.mostResponse;
    if (cut) this.notice(`The response is longer than ${most} characters; the rest is omitted.`);
    return { response, toolCalls };
  }

  get response(): string {
    return this.#reader.response;
  }

  tool(id: string): ToolState | undefined {
    return this.#tools.get(id);
  }

  get tools(): Iterable<ToolState> {
    return this.#tools.values();
  }

  /** Increases with everything that the agent says or starts. */
  get progress(): number {
    return this.#saidChars + this.#tools.size;
  }

  get usedTools(): boolean {
    return this.#tools.size > 0;
  }

  update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#text(update.content, update.messageId ?? null);
        break;
      case 'agent_thought_chunk':
        this.#push({ type: 'thought', text: update.content }, update.content.length);
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.toolUpdate(update);
        break;
      case 'plan':
        this.#reader.apart();
        this.#push({ type: 'plan', entries: update.entries }, 100 * update.entries.length);
        break;
      case 'notice':
        this.notice(update.description ? `${update.title}: ${update.description}` : update.title);
        break;
      case 'usage_update':
      case 'session_info_update':
        break;
    }
  }

  /** Whether an update continues a message of this turn. */
  hasMessage(update: SessionUpdate): boolean {
    const isText = update.sessionUpdate === 'agent_message_chunk';
    return isText && update.messageId != null && this.#messages.has(update.messageId);
  }

  /** The turn has ended, and this came all the same: it is shown with the turn, and is no part of a response. */
  late(update: SessionUpdate, gatherMs: number): void {
    if (update.sessionUpdate !== 'agent_message_chunk') return;
    this.#afterEnd = `${this.#afterEnd}${update.content}`.slice(0, this.options.mostResponse);
    this.#lateTimer ??= setTimeout(() => {
      this.#lateTimer = null;
      const text = this.#afterEnd;
      this.#afterEnd = '';
      this.notice(`After the end of this turn: ${text}`);
      this.flush();
    }, gatherMs).unref();
  }

  /** The agent got another prompt within the turn. */
  prompted(): void {
    this.#reader.prompted();
  }

  notice(text: string): void {
    this.#push({ type: 'notice', text }, text.length);
  }

  item(item: TranscriptItem): void {
    this.#push(item, 100);
  }

  toolUpdate(update: ToolUpdate): void {
    const before = this.#tools.get(update.toolCallId);
    const merged = mergeTool(before, update);
    const over = merged.status === 'completed' || merged.status === 'failed';
    const state = over ? { ...merged, endedAt: before?.endedAt ?? Date.now() } : merged;
    this.#tools.set(state.id, state);
    this.#reader.tool(state.id);
    // Shown with the next item: an item contains the whole output, and each one is written to the session's
    // log.
    if (!printsOnly(update)) this.#showTool(state);
  }

  /** Marks tool calls as failed that a turn's sudden end left open. */
  failOpenTools(): void {
    for (const state of this.#tools.values()) {
      if (state.status === 'completed' || state.status === 'failed') continue;
      const failed: ToolState = { ...state, status: 'failed' };
      this.#tools.set(state.id, failed);
      this.#showTool(failed);
    }
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const items = this.#pending;
    this.#pending = [];
    this.#pendingChars = 0;
    if (items.length > 0) this.options.emit(items);
    if (this.#held) this.options.release();
    this.#held = false;
  }

  #text(text: string, messageId: string | null): void {
    this.#saidChars += text.length;
    if (messageId !== null) this.#messages.add(messageId);
    this.#reader.text(text, messageId);
    const item: TranscriptItem = {
      type: 'text',
      text,
      ...(messageId === null ? {} : { message: messageId }),
    };
    this.#push(item, text.length);
  }

  #showTool(state: ToolState): void {
    const call = toToolCall(state, this.options.terminalOutput);
    const item: TranscriptItem = { type: 'tool', call };
    const index = this.#pending.findIndex((one) => one.type === 'tool' && one.call.id === state.id);
    if (index === -1) this.#push(item, JSON.stringify(call).length);
    else this.#pending[index] = item;
  }

  #push(item: TranscriptItem, chars: number): void {
    if (chars === 0 && (item.type === 'text' || item.type === 'thought')) return;
    const last = this.#pending.at(-1);
    const merged = last === undefined ? null : mergedItem(last, item);
    if (merged === null) this.#pending.push(item);
    else this.#pending[this.#pending.length - 1] = merged;
    this.#grown(chars);
  }

  #grown(chars: number): void {
    this.#pendingChars += chars;
    this.#timer ??= setTimeout(() => this.flush(), this.options.flushMs);
    if (this.#held || this.#pendingChars < this.options.mostPending) return;
    this.#held = true;
    this.options.hold();
  }
}
