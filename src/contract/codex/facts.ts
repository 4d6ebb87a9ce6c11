import { z } from 'zod';
import { usageSchema } from '../session/session';
import { codexItemShapes, readCodexEvent } from './events';

/** What a log of Codex says of a turn. */
export const codexFactsSchema = z.lazy(() =>
  z.object({
    threadId: z.string().nullable(),
    /** How the last turn ended, by the worker's own events; `none` where it did not say. */
    terminal: z.enum(['completed', 'failed', 'none']),
    error: z.string().nullable(),
    /** It asked the user something and no one could answer. */
    asked: z.boolean(),
    /** What it asked, as far as it was told. */
    question: z.string().optional(),
    usage: usageSchema.nullable(),
    /** The last message that is in the events. */
    message: z.string().nullable(),
    events: z.number().int(),
  }),
);
export type CodexFacts = z.infer<typeof codexFactsSchema>;

/** Characters of a message kept as evidence: its end, where the claim stands. */
const MESSAGE_LIMIT = 64 * 1024;

/** Gathers from a log, line by line, what a verdict needs; holds no more than a few values whatever the log's size. */
export class CodexTally {
  private facts: CodexFacts = {
    threadId: null,
    terminal: 'none',
    error: null,
    asked: false,
    usage: null,
    message: null,
    events: 0,
  };

  line(text: string): void {
    const event = readCodexEvent(text);
    if (event === null) return;
    const events = this.facts.events + 1;
    this.facts = { ...this.facts, events };
    switch (event.type) {
      case 'thread.started':
        return this.set({ threadId: event.threadId ?? this.facts.threadId });
      case 'turn.completed': {
        const { input_tokens = null, output_tokens = null, cached_input_tokens: cached } = event.usage ?? {};
        const told = input_tokens !== null || output_tokens !== null;
        const total_tokens = (input_tokens ?? 0) + (output_tokens ?? 0);
        // The usage is the running total of the thread: the last one holds, sums would count twice.
        const usage = told
          ? {
              input_tokens,
              output_tokens,
              total_tokens,
              cost_usd: null,
              ...(typeof cached === 'number' ? { cached_input_tokens: cached } : {}),
            }
          : this.facts.usage;
        return this.set({ terminal: 'completed', error: null, usage });
      }
      case 'turn.failed':
        return this.set({ terminal: 'failed', error: event.message || 'the turn failed' });
      case 'request_user_input':
        return this.set({ asked: true, ...(event.question === null ? {} : { question: event.question }) });
      case 'item':
        if (event.moment === 'completed' && event.item.type === 'agent_message') {
          const { text } = codexItemShapes().agent_message.catch({ text: '' }).parse(event.item);
          if (text.trim() !== '') this.set({ message: text.slice(-MESSAGE_LIMIT) });
        }
        return;
      default:
        return;
    }
  }

  private set(more: Partial<CodexFacts>): void {
    this.facts = { ...this.facts, ...more };
  }

  /** Null where no line was an event: the log is no log of Codex. */
  result(): CodexFacts | null {
    return this.facts.events === 0 ? null : this.facts;
  }
}
