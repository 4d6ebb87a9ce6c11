import { z } from 'zod';
import type { TranscriptItem } from './session';

/**
 * How the response of a turn stands to its tool calls: the agent made none, all of them came before the response, or one
 * came after it and the agent said nothing more.
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
  /** It has more than white space. Kept beside the text: to look through it at every word takes the square of its length. */
  worded: boolean;
  /** A tool call, or a further prompt, came after its last words. */
  over: boolean;
  cut: boolean;
}

/**
 * Reads the response of a turn out of what the agent streams (SPEC "Response of a turn"): the text after its last tool
 * call. Where there is none, its last message. All agents are read by this one rule.
 *
 * Words with the same message id are one message, whatever arrives between them. Words without an id belong together
 * until a tool call or a plan comes.
 */
export class ResponseReader {
  /** In their order: those after the last tool call, and the last one before it. */
  #messages: Message[] = [];
  #latest: Message | null = null;
  #apart = false;
  readonly #tools = new Set<string>();

  /** `mostChars`: so much of a response is kept, from its beginning. */
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
    message.over = false;
    const kept = this.#messages.reduce((sum, one) => sum + (one.over ? 0 : one.text.length), 0);
    const room = this.mostChars - kept;
    message.cut ||= text.length > room;
    const added = text.slice(0, Math.max(0, room));
    message.text += added;
    message.worded ||= added.trim() !== '';
  }

  /** A tool call was told of. Only its beginning counts: what is told of it later says nothing about the text. */
  tool(id: string): void {
    if (this.#tools.has(id)) return;
    this.#tools.add(id);
    this.#end();
  }

  /** The agent was told more within the turn: what it answers to that is its response. */
  prompted(): void {
    this.#end();
  }

  /** Words without an id that come next are another message. */
  apart(): void {
    this.#apart = true;
  }

  get usedTools(): boolean {
    return this.#tools.size > 0;
  }

  /** Something of the response was left out because it was too long. */
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
    if (after.length > 0) return after;
    return last === undefined ? [] : [last];
  }

  /** Of what was said so far only the last message is known from now on. */
  #end(): void {
    const last = this.#last();
    this.#messages = last === undefined ? [] : [last];
    for (const message of this.#messages) message.over = true;
    this.#apart = true;
  }

  /** The message that words were added to last. */
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
    const message: Message = { id, text: '', worded: false, over: false, cut: false };
    this.#messages.push(message);
    return message;
  }
}

/** Two messages of one response, with an empty line between them. */
function joined(before: string, after: string): string {
  if (before === '' || after === '') return before + after;
  return `${before.replace(/\n+$/, '')}\n\n${after.replace(/^\n+/, '')}`;
}

export function responseOf(items: readonly TranscriptItem[]): TurnResponse {
  const reader = new ResponseReader();
  for (const item of items) reader.hear(item);
  return { response: reader.response, toolCalls: reader.toolCalls };
}

/** What a stored turn tells of its response; `toolCalls` is missing in what an earlier Muster wrote. */
type Stored = Pick<TurnResponse, 'response'> & { readonly toolCalls?: ToolCalls | undefined };

/** A turn that was cut off and the one that continued it have one response, by the same rule. */
export function continuedResponse(before: Stored, after: Stored): Stored {
  const { toolCalls = 'none' } = after;
  if (after.response.trim() === '') return toolCalls === 'none' ? before : { ...before, toolCalls: 'after' };
  if (toolCalls !== 'none' || before.toolCalls === 'after') return after;
  // It may have been cut off within a paragraph, so no more than the end of a line is added.
  const seam = before.response === '' || before.response.endsWith('\n') ? '' : '\n\n';
  return { ...before, response: `${before.response}${seam}${after.response}` };
}
