import type { ToolCall } from '@areas/sessions/contract/session';
import type { Json } from '@contract/ids';
import type { ToolContent, ToolUpdate } from '../connection/wire';

const MOST_TEXT = 64 * 1024;
const MOST_DIFF = 512 * 1024;
const MOST_INPUT = 256 * 1024;

/** A tool call, combined from all its updates so far. */
export interface ToolState {
  readonly id: string;
  readonly title: string;
  readonly name: string | null;
  readonly kind: string;
  readonly status: ToolCall['status'];
  readonly content: readonly ToolContent[];
  readonly locations: readonly string[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  /** Output of the agent's own terminal. */
  readonly printed: string;
  /** Exit code in the agent's own terminal; null if not reported. */
  readonly exitCode: number | null;
  /** When it was reported as finished, in milliseconds since 1970. */
  readonly endedAt?: number;
}

/**
 * An update replaces the fields that it contains. File changes are kept anyway: many agents replace them with
 * a sentence once the tool is done.
 */
export function mergeTool(before: ToolState | undefined, update: ToolUpdate): ToolState {
  return {
    id: update.toolCallId,
    title: update.title ?? before?.title ?? '',
    name: update.name ?? update._meta?.toolName ?? before?.name ?? null,
    kind: update.kind ?? before?.kind ?? 'other',
    status: update.status ?? before?.status ?? 'pending',
    content: mergeContent(before?.content ?? [], update.content),
    locations: update.locations?.map((location) => location.path) ?? before?.locations ?? [],
    rawInput: update.rawInput ?? before?.rawInput,
    rawOutput: update.rawOutput ?? before?.rawOutput,
    exitCode: update._meta?.terminal_exit?.exit_code ?? before?.exitCode ?? null,
    printed: `${before?.printed ?? ''}${printedIn(update)}`.slice(-MOST_TEXT),
  };
}

function printedIn({ _meta }: ToolUpdate): string {
  return (_meta?.terminal_output_delta ?? _meta?.terminal_output)?.data ?? '';
}

/** The update contains only more output. */
export function printsOnly(update: ToolUpdate): boolean {
  const { status, title, content, rawOutput } = update;
  return printedIn(update) !== '' && !status && !title && !content && rawOutput === undefined;
}

function mergeContent(before: readonly ToolContent[], now: ToolUpdate['content']): readonly ToolContent[] {
  if (!now) return before;
  if (now.some((one) => one.type === 'diff')) return now;
  return [...before.filter((one) => one.type === 'diff'), ...now];
}

/** Any value as JSON, or undefined if there is none. */
export function toJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(value)) as Json;
  } catch {
    return undefined;
  }
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}\n… ${text.length - limit} more characters`;
}

export function diffsOf(content: readonly ToolContent[]): NonNullable<ToolCall['diffs']> {
  return content.flatMap((one) =>
    one.type === 'diff'
      ? [
          {
            path: one.path,
            oldText: one.oldText == null ? null : cut(one.oldText, MOST_DIFF),
            newText: cut(one.newText, MOST_DIFF),
          },
        ]
      : [],
  );
}

/** The tool's text, its terminal's output, or its raw result. */
function outputOf(tool: ToolState, terminalOutput: (id: string) => string | null): string | undefined {
  const parts = tool.content.flatMap((one) => {
    if (one.type === 'content') return [one.content];
    return one.type === 'terminal' ? [terminalOutput(one.terminalId) ?? ''] : [];
  });
  const text = [...parts, tool.printed].filter((part) => part !== '').join('\n');
  if (text !== '') return cut(text, MOST_TEXT);
  if (tool.rawOutput === undefined || tool.rawOutput === null) return undefined;
  const raw = typeof tool.rawOutput === 'string' ? tool.rawOutput : JSON.stringify(toJson(tool.rawOutput));
  return cut(raw, MOST_TEXT);
}

/** The tool's input, unless it is too large to keep. */
export function inputOf(tool: ToolState): Json | undefined {
  const input = toJson(tool.rawInput);
  if (input === undefined) return undefined;
  const length = JSON.stringify(input).length;
  return length > MOST_INPUT ? `(${length} characters, not kept)` : input;
}

export function toToolCall(tool: ToolState, terminalOutput: (id: string) => string | null): ToolCall {
  const input = inputOf(tool);
  const output = outputOf(tool, terminalOutput);
  const diffs = diffsOf(tool.content);
  return {
    id: tool.id,
    title: tool.title || tool.name || tool.kind,
    kind: tool.kind,
    status: tool.status,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(diffs.length > 0 ? { diffs } : {}),
    ...(tool.locations.length > 0 ? { locations: [...tool.locations] } : {}),
  };
}
