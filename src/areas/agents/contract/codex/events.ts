import { amount, whole } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { lazily } from '@contract/lazy-value';
import { z } from 'zod';

/**
 * The events that `codex exec --json` prints, one JSON object per line. Parsing is lenient, because versions
 * differ: fields that Muster does not need are optional, and unknown events pass through unchanged.
 */
const text = z.string().catch('');
const maybeText = z.lazy(() => z.string().nullable().catch(null).default(null));
const count = z.lazy(() => amount().nullable().catch(null).default(null));

const codexUsageSchema = lazyObject(() => ({
  input_tokens: count,
  output_tokens: count,
  cached_input_tokens: count,
}));

const codexItemSchema = z.looseObject({ id: maybeText, type: z.string() });
export type CodexItem = z.infer<typeof codexItemSchema>;

export const codexItemShapes = lazily(() => ({
  agent_message: z.object({ text }),
  reasoning: z.object({ text }),
  command_execution: z.object({
    command: text,
    aggregated_output: text,
    exit_code: whole().nullable().catch(null).default(null),
    status: maybeText,
  }),
  file_change: z.object({
    changes: z
      .array(z.object({ path: text, kind: z.union([z.string(), z.looseObject({})]).catch('update') }))
      .catch([]),
    status: maybeText,
  }),
  mcp_tool_call: z.object({
    server: text,
    tool: text,
    arguments: z.json().optional().catch(undefined),
    status: maybeText,
  }),
  web_search: z.object({ query: text }),
  todo_list: z.object({ items: z.array(z.object({ text, completed: z.boolean().catch(false) })).catch([]) }),
  error: z.object({ message: text }),
}));

export type CodexEvent =
  | { readonly type: 'thread.started'; readonly threadId: string | null }
  | { readonly type: 'turn.completed'; readonly usage: z.infer<typeof codexUsageSchema> | null }
  | { readonly type: 'turn.failed'; readonly message: string }
  /** May be temporary ("Reconnecting... 1/5"), so it does not end the turn. */
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'request_user_input'; readonly question: string | null }
  | { readonly type: 'item'; readonly moment: 'started' | 'updated' | 'completed'; readonly item: CodexItem }
  | { readonly type: 'other'; readonly name: string };

/** Parses one line of the log; null if it is no event: not JSON, no object, or without a type. */
export function readCodexEvent(line: string): CodexEvent | null {
  const parsed = tagged.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { type, ...rest } = parsed.data;
  switch (type) {
    case 'thread.started':
      return {
        type,
        threadId: z
          .string()
          .nullable()
          .catch(null)
          .parse(rest.thread_id ?? null),
      };
    case 'turn.completed':
      return {
        type,
        usage: codexUsageSchema
          .nullable()
          .catch(null)
          .parse(rest.usage ?? null),
      };
    case 'turn.failed':
      return { type, message: z.object({ message: text }).catch({ message: '' }).parse(rest.error).message };
    case 'error':
      return { type, message: text.parse(rest.message) };
    case 'request_user_input':
      return { type, question: questionOf(rest.questions) };
    case 'item.started':
    case 'item.updated':
    case 'item.completed': {
      const item = codexItemSchema.safeParse(rest.item);
      const moment = type.slice('item.'.length) as 'started' | 'updated' | 'completed';
      return item.success ? { type: 'item', moment, item: item.data } : { type: 'other', name: type };
    }
    default:
      return { type: 'other', name: type };
  }
}

const questionsSchema = z.lazy(() =>
  z
    .array(
      z.object({
        question: text,
        options: z
          .array(z.object({ label: text }))
          .nullable()
          .catch([])
          .default([]),
      }),
    )
    .catch([]),
);

/** All questions with their choices, as one text. */
function questionOf(questions: unknown): string | null {
  const all = questionsSchema.parse(questions).flatMap(({ question, options }) => {
    const labels = (options ?? []).flatMap(({ label }) => (label.trim() === '' ? [] : [label.trim()]));
    const choices = labels.length === 0 ? '' : ` (${labels.join(' / ')})`;
    return question.trim() === '' ? [] : [`${question.trim()}${choices}`];
  });
  return all.length === 0 ? null : all.join('\n').slice(0, QUESTION_LIMIT);
}

const QUESTION_LIMIT = 4_000;
const tagged = z.looseObject({ type: z.string() });

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
