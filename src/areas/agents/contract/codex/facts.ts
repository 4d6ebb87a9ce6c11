import { usageSchema } from '@areas/sessions/contract/session';
import { whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { codexItemShapes, readCodexEvent } from './events';

/** What a Codex log says about a turn. */
export const codexFactsSchema = lazyObject(() => ({
  threadId: z.string().nullable(),
  /** How the last turn ended, according to the worker's own events; `none` if they do not say. */
  terminal: z.enum(['completed', 'failed', 'none']),
  error: z.string().nullable(),
  /** The agent asked the user a question that no one could answer. */
  asked: z.boolean(),
  /** The question, as far as the log contains it. */
  question: z.string().optional(),
  usage: usageSchema.nullable(),
  /** The last message in the events. */
  message: z.string().nullable(),
  events: whole(),
}));
export type CodexFacts = z.infer<typeof codexFactsSchema>;

/** Characters kept of a message as evidence: its end, which contains the claim. */
const MESSAGE_LIMIT = 64 * 1024;

/** Collects from a log, line by line, what a verdict needs. Memory use does not depend on the log's size. */
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
        const reported = input_tokens !== null || output_tokens !== null;
        const total_tokens = (input_tokens ?? 0) + (output_tokens ?? 0);
        // Usage is the running total of the thread, so only the last value counts.
        const usage = reported
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

  /** Null if no line was an event: not a Codex log. */
  result(): CodexFacts | null {
    return this.facts.events === 0 ? null : this.facts;
  }
}
