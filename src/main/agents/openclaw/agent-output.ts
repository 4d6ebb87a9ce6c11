import { ResponseReader, type TurnResponse } from '@areas/sessions/contract/response';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { ownValue } from '@contract/own';
import { z } from 'zod';
import { type AgentEvent, itemDataSchema, runStatusSchema, textDataSchema, toolDataSchema } from './wire';

interface Part {
  readonly kind: 'text' | 'thought';
  seq: number;
  first: number;
  /** The whole text as last reported by the gateway. */
  text: string;
  /** The part already passed on as items. */
  shown: string;
}

const NOTHING: readonly TranscriptItem[] = [];
const LONGEST_OUTPUT = 64 * 1024;

/**
 * An agent's output in one run, from events that may arrive twice, late, out of order or, after a lost
 * socket, not at all. Text events are cumulative, so the highest number is the newest.
 */
export class Spoken {
  readonly #parts = new Map<string, Part>();
  readonly #tools = new Map<string, { first: number; seq: number; input: ToolInput }>();
  readonly #notices = new Set<number>();
  #thoughts = 0;
  /** Any other stream ends a thought; the next one starts over with another number. */
  #afterThought: number = Number.NEGATIVE_INFINITY;

  /** The items that an event adds to those already shown. */
  hear(event: AgentEvent): readonly TranscriptItem[] {
    switch (event.stream) {
      case 'assistant': {
        const data = textDataSchema.safeParse(event.data);
        if (!data.success) return NOTHING;
        const key = `text ${data.data.itemId ?? ''}`;
        return this.#tell(key, 'text', {
          seq: event.seq,
          ...fullText(data.data, this.#parts.get(key)?.text),
        });
      }
      case 'thinking': {
        const data = textDataSchema.safeParse(event.data);
        return data.success ? this.#think(event.seq, data.data) : NOTHING;
      }
      case 'item': {
        const data = itemDataSchema.safeParse(event.data);
        if (!data.success) return NOTHING;
        // Text before a tool call is not part of the answer.
        const { itemId, progressText } = data.data;
        // Some models' text before a tool call arrives first as text, and then as this too.
        if (this.#hasText(progressText)) return NOTHING;
        return this.#tell(`item ${itemId}`, 'thought', { seq: event.seq, text: progressText });
      }
      case 'tool':
        this.#afterThought = Math.max(this.#afterThought, event.seq);
        return this.#tellTool(event);
      case 'run_status':
        return this.#status(event);
      default:
        return NOTHING;
    }
  }

  /** The agent's answer so far, by the rule for all agents. */
  read(): TurnResponse {
    const reader = new ResponseReader();
    const pieces = [
      ...[...this.#parts].map(([key, { kind, seq, text }]) => ({
        seq,
        read: () => (kind === 'text' ? reader.text(text, key) : undefined),
      })),
      ...[...this.#tools].map(([id, { first }]) => ({ seq: first, read: () => reader.tool(id) })),
    ];
    for (const one of pieces.sort((a, b) => a.seq - b.seq)) one.read();
    const { response, toolCalls } = reader;
    return { response, toolCalls };
  }

  /** The final answer from the gateway: the part not shown yet. */
  settle(final: string): readonly TranscriptItem[] {
    const shown = [...this.#parts.values()].filter((part) => part.kind === 'text').map((part) => part.shown);
    if (final === '' || plain(shown.join(' ')).includes(plain(final))) return NOTHING;
    const begun = shown.at(-1) ?? '';
    const rest = begun !== '' && final.startsWith(begun) ? final.slice(begun.length) : final;
    return rest === '' ? NOTHING : [{ type: 'text', text: rest }];
  }

  #think(seq: number, data: z.infer<typeof textDataSchema>): readonly TranscriptItem[] {
    const current = this.#parts.get(`thought ${this.#thoughts}`);
    if (current !== undefined && this.#afterThought > current.seq && seq > this.#afterThought) {
      this.#thoughts += 1;
    }
    const key = `thought ${this.#thoughts}`;
    return this.#tell(key, 'thought', { seq, ...fullText(data, this.#parts.get(key)?.text) });
  }

  #tell(
    key: string,
    kind: Part['kind'],
    { seq, text }: { seq: number; text: string },
  ): readonly TranscriptItem[] {
    const part = this.#parts.get(key) ?? { kind, seq: -1, first: seq, text: '', shown: '' };
    this.#parts.set(key, part);
    part.first = Math.min(part.first, seq);
    if (seq <= part.seq) return NOTHING;
    part.seq = seq;
    part.text = text;
    if (!text.startsWith(part.shown)) {
      // The gateway's retry starts the answer over.
      part.shown = text;
      return text === '' ? NOTHING : [{ type: kind, text: `\n\n${text}` }];
    }
    const added = text.slice(part.shown.length);
    part.shown = text;
    if (added === '') return NOTHING;
    const another = added === text && kind === 'text' && this.#spokeBefore(key);
    return [{ type: kind, text: another ? `\n\n${added}` : added }];
  }

  #hasText(text: string): boolean {
    return [...this.#parts.values()].some((part) => part.kind === 'text' && part.text.startsWith(text));
  }

  #spokeBefore(key: string): boolean {
    for (const [other, part] of this.#parts) {
      if (other !== key && part.kind === 'text' && part.shown !== '') return true;
    }
    return false;
  }

  #tellTool(event: AgentEvent): readonly TranscriptItem[] {
    const parsed = toolDataSchema.safeParse(event.data);
    if (!parsed.success) return NOTHING;
    const { toolCallId: id, name, phase, args, isError, partialResult, result } = parsed.data;
    const known = this.#tools.get(id);
    const first = Math.min(event.seq, known?.first ?? event.seq);
    if (known !== undefined && event.seq <= known.seq) {
      known.first = first;
      return NOTHING;
    }
    const input = args ?? known?.input;
    this.#tools.set(id, { first, seq: event.seq, input });
    const output = outputOf(phase === 'result' ? result : partialResult);
    const status = phase === 'result' ? (isError === true ? 'failed' : 'completed') : 'in_progress';
    return [
      {
        type: 'tool',
        call: {
          id,
          title: titleOf(name, input),
          kind: ownValue(KINDS, name) ?? 'other',
          status,
          ...(input === undefined ? {} : { input }),
          ...(output === null ? {} : { output }),
        },
      },
    ];
  }

  #status(event: AgentEvent): readonly TranscriptItem[] {
    const parsed = runStatusSchema.safeParse(event.data);
    if (!parsed.success || this.#notices.has(event.seq)) return NOTHING;
    this.#notices.add(event.seq);
    const { message, reason, delayMs } = parsed.data;
    const when = delayMs === undefined ? '' : ` in ${Math.ceil(delayMs / 1000)} s`;
    return [{ type: 'notice', text: `The gateway: ${message}${when}${reason ? ` (${reason})` : ''}` }];
  }
}

type ToolInput = z.infer<typeof toolDataSchema>['args'];

const fullText = ({ text, delta = '' }: { text?: string; delta?: string }, before = '') => ({
  text: text ?? before + delta,
});

/** Muster and the gateway join parts differently. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

const KINDS: Readonly<Record<string, string>> = {
  exec: 'execute',
  process: 'execute',
  read: 'read',
  ls: 'read',
  write: 'edit',
  edit: 'edit',
  apply_patch: 'edit',
  web_search: 'search',
  web_fetch: 'fetch',
};

function titleOf(name: string, input: ToolInput): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return name;
  const subject = input.command ?? input.path ?? input.query ?? input.url;
  return typeof subject === 'string' ? `${name}: ${subject.split('\n')[0]?.slice(0, 120) ?? ''}` : name;
}

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

function outputOf(result: unknown): string | null {
  if (result === undefined || result === null) return null;
  if (typeof result === 'string') return result.slice(-LONGEST_OUTPUT);
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) return null;
  const text = parsed.data.content.flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n');
  return text.slice(-LONGEST_OUTPUT);
}
