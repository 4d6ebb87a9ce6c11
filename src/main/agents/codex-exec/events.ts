import {
  type CodexEvent,
  type CodexItem,
  codexItemShapes,
  readCodexEvent,
} from '@areas/agents/contract/codex/events';
import type { RanCommand } from '@areas/changes/contract/changes';
import type { ToolCall, TranscriptItem } from '@areas/sessions/contract/session';
import { ownValue } from '@contract/own';

const OUTPUT_TAIL = 4_096;
const RAW_LIMIT = 2_000;

const tailOf = (text: string): string => text.slice(-OUTPUT_TAIL);
const raw = (what: string, line: string): TranscriptItem => ({
  type: 'notice',
  text: `${what}: ${line.slice(0, RAW_LIMIT)}`,
});

/** The transcript items of one line from Codex. Unknown events are shown unchanged. */
export function itemsOf(line: string): TranscriptItem[] {
  const event = readCodexEvent(line);
  if (event === null) return line.trim() === '' ? [] : [raw('Codex printed', line)];
  switch (event.type) {
    case 'item':
      return ofItem(event, line);
    case 'error':
    case 'turn.failed':
      return [{ type: 'notice', text: `Codex: ${event.message || event.type}` }];
    case 'request_user_input':
      return [raw('Codex asked a question that cannot be answered here', line)];
    case 'other':
      return event.name === 'turn.started' ? [] : [raw(event.name, line)];
    default:
      return [];
  }
}

/** What Codex says while it tries to reach its model again; null for any other line. */
export function troubleIn(line: string): string | null {
  const event = readCodexEvent(line);
  return event?.type === 'error' ? event.message : null;
}

const STATUS: Readonly<Record<string, ToolCall['status']>> = {
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  declined: 'failed',
};

type ItemEvent = Extract<CodexEvent, { type: 'item' }>;

function ofItem({ item, moment }: ItemEvent, line: string): TranscriptItem[] {
  const ended = moment === 'completed';
  switch (item.type) {
    case 'agent_message': {
      const { text } = codexItemShapes().agent_message.parse(item);
      const message = item.id === null ? {} : { message: item.id };
      return ended && text !== '' ? [{ type: 'text', text, ...message }] : [];
    }
    case 'reasoning': {
      const { text } = codexItemShapes().reasoning.parse(item);
      return ended && text !== '' ? [{ type: 'thought', text: `${text}\n\n` }] : [];
    }
    case 'todo_list': {
      const { items } = codexItemShapes().todo_list.parse(item);
      const entries = items.map(({ text, completed }) => ({
        content: text,
        status: completed ? 'completed' : 'pending',
        priority: 'medium',
      }));
      return [{ type: 'plan', entries }];
    }
    case 'error':
      return [{ type: 'notice', text: `Codex: ${codexItemShapes().error.parse(item).message}` }];
    default: {
      const call = toolOf(item, ended);
      if (call !== null) return [{ type: 'tool', call }];
      return ended ? [raw(item.type, line)] : [];
    }
  }
}

function toolOf(item: CodexItem, ended: boolean): ToolCall | null {
  const id = item.id ?? item.type;
  const fallback = ended ? 'completed' : 'in_progress';
  const status = (reported: string | null): ToolCall['status'] =>
    ownValue(STATUS, reported ?? '') ?? fallback;
  switch (item.type) {
    case 'command_execution': {
      const {
        command,
        aggregated_output,
        status: reported,
      } = codexItemShapes().command_execution.parse(item);
      return {
        id,
        title: command,
        kind: 'execute',
        status: status(reported),
        output: tailOf(aggregated_output),
      };
    }
    case 'file_change': {
      const { changes, status: reported } = codexItemShapes().file_change.parse(item);
      const locations = changes.map(({ path }) => path);
      return { id, title: `Edit ${locations.join(', ')}`, kind: 'edit', status: status(reported), locations };
    }
    case 'mcp_tool_call': {
      const {
        server,
        tool,
        arguments: input,
        status: reported,
      } = codexItemShapes().mcp_tool_call.parse(item);
      const title = `${server}.${tool}`;
      return {
        id,
        title,
        kind: 'other',
        status: status(reported),
        ...(input === undefined ? {} : { input }),
      };
    }
    case 'web_search': {
      const { query } = codexItemShapes().web_search.parse(item);
      return { id, title: `Search: ${query}`, kind: 'search', status: fallback };
    }
    default:
      return null;
  }
}

/** A finished command that Codex ran. */
export function commandOf(line: string): RanCommand | null {
  const event = readCodexEvent(line);
  if (event?.type !== 'item' || event.moment !== 'completed' || event.item.type !== 'command_execution')
    return null;
  const { command, aggregated_output, exit_code } = codexItemShapes().command_execution.parse(event.item);
  return { command, exitCode: exit_code, outputTail: tailOf(aggregated_output) };
}
