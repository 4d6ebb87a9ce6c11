import { z } from 'zod';
import type { TranscriptItem } from './session';

/**
 * Order of a turn's response and its tool calls: no calls, all calls before the response, or a call after it
 * with no text following.
 */
export const toolCallsSchema = z.enum(['none', 'before', 'after']);
export type ToolCalls = z.infer<typeof toolCallsSchema>;

export interface TurnResponse {
  readonly response: string;
  readonly toolCalls: ToolCalls;
}

interface Message {
  readonly id: string | null;
  text: string;
  /**
   * The message is not blank. Tracked separately, because searching the text at every word would take
   * quadratic time.
   */
  worded: boolean;
  /** A tool call or another prompt followed its last words. */
  over: boolean;
  /** More of it came after that, such as its last words, which some agents send late. */
  resumed: boolean;
  cut: boolean;
}

/**
 * Extracts a turn's response from the agent's stream (SPEC "Response of a turn"): the text after its last
 * tool call, or, if there is none, its last message. The same rule applies to all agents.
 *
 * Text with the same message id is one message, whatever comes between. Text without an id belongs together
 * until a tool call or a plan follows.
 */
export class ResponseReader {
  /** In order: the messages after the last tool call, and the last one before it. */
  #messages: Message[] = [];
  #latest: Message | null = null;
  #apart = false;
  readonly #tools = new Set<string>();

  /** `mostChars`: maximum characters kept of a response, from its beginning. */
  constructor(private readonly mostChars = Number.POSITIVE_INFINITY) {}

  hear(item: TranscriptItem): void {
    if (item.type === 'text') this.text(item.text, item.message ?? null);
    else if (item.type === 'tool') this.tool(item.call.id);
    else if (item.type === 'plan') this.apart();
  }

  text(text: string, id: string | null): void {
    if (text === '') return;
    const message = this.#messageOf(id);
    this.#latest = message;
    this.#apart = false;
    message.resumed ||= message.over;
    message.over = false;
    const kept = this.#messages.reduce((sum, one) => sum + (one.over ? 0 : one.text.length), 0);
    const room = this.mostChars - kept;
    message.cut ||= text.length > room;
    const added = text.slice(0, Math.max(0, room));
    message.text += added;
    message.worded ||= added.trim() !== '';
  }

  /** A tool call was reported. Only its start counts; later updates of it do not affect the text. */
  tool(id: string): void {
    if (this.#tools.has(id)) return;
    this.#tools.add(id);
    this.#end();
  }

  /** The agent got another prompt within the turn; its answer to that is the response. */
  prompted(): void {
    this.#end();
  }

  /** Following text without an id is a new message. */
  apart(): void {
    this.#apart = true;
  }

  get usedTools(): boolean {
    return this.#tools.size > 0;
  }

  /** The response was truncated because it was too long. */
  get cut(): boolean {
    return this.#chosen().some((message) => message.cut);
  }

  get response(): string {
    return this.#chosen()
      .map(({ text }) => text)
      .reduce(joined, '');
  }

  get toolCalls(): ToolCalls {
    if (!this.usedTools) return 'none';
    return this.#said().some((message) => !message.over) ? 'before' : 'after';
  }

  #chosen(): Message[] {
    const said = this.#said();
    const after = this.usedTools ? said.filter((message) => !message.over) : [];
    const last = this.#last();
    // The rest of an older message is a part of the response only where no newer message follows.
    const newer = after.filter((message) => !message.resumed);
    if (newer.length > 0) return newer;
    if (after.length > 0) return after;
    return last === undefined ? [] : [last];
  }

  /** Of the text so far, only the last message is kept from now on. */
  #end(): void {
    const last = this.#last();
    this.#messages = last === undefined ? [] : [last];
    for (const message of this.#messages) message.over = true;
    this.#apart = true;
  }

  /** The message that text was added to last. */
  #last(): Message | undefined {
    const said = this.#said();
    return said.find((message) => message === this.#latest) ?? said.at(-1);
  }

  #said(): Message[] {
    return this.#messages.filter(({ worded }) => worded);
  }

  #messageOf(id: string | null): Message {
    const known = id === null ? undefined : this.#messages.find((message) => message.id === id);
    if (known !== undefined) return known;
    const latest = this.#latest;
    const same = latest !== null && !this.#apart && (id === null || latest.id === null);
    if (same && this.#messages.includes(latest)) return latest;
    const message: Message = { id, text: '', worded: false, over: false, resumed: false, cut: false };
    this.#messages.push(message);
    return message;
  }
}

/** Joins two messages of one response with a blank line. */
function joined(before: string, after: string): string {
  if (before === '' || after === '') return before + after;
  return `${before.replace(/\n+$/, '')}\n\n${after.replace(/^\n+/, '')}`;
}

export function responseOf(items: readonly TranscriptItem[]): TurnResponse {
  const reader = new ResponseReader();
  for (const item of items) reader.hear(item);
  return { response: reader.response, toolCalls: reader.toolCalls };
}

/** The stored response of a turn; earlier versions did not store `toolCalls`. */
type Stored = Pick<TurnResponse, 'response'> & { readonly toolCalls?: ToolCalls | undefined };

/** Combines an interrupted turn and its continuation into one response, by the same rule. */
export function continuedResponse(before: Stored, after: Stored): Stored {
  const { toolCalls = 'none' } = after;
  if (after.response.trim() === '') return toolCalls === 'none' ? before : { ...before, toolCalls: 'after' };
  if (toolCalls !== 'none' || before.toolCalls === 'after') return after;
  // The cut may be within a paragraph, so only a single line break is added.
  const seam = before.response === '' || before.response.endsWith('\n') ? '' : '\n\n';
  return { ...before, response: `${before.response}${seam}${after.response}` };
}
