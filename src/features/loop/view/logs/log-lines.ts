import { type CodexEvent, codexItemShapes, readCodexEvent } from '@areas/agents/contract/codex/events';
import { ownValue } from '@contract/own';
import { count } from '@renderer/client/format';
import type { Tone } from '@renderer/ui/controls/status';

/** A log line for reading: its kind in a word, and its content on one line. */
interface LogLine {
  readonly label: string;
  readonly text: string;
  readonly tone: Tone;
}

const line = (label: string, text: string, tone: Tone = 'grey'): LogLine => ({
  label,
  text: flat(text),
  tone,
});

/** Longer texts are cut; a key shows the whole line. */
const LONGEST = 400;

function flat(text: string): string {
  const one = text.replace(/\s+/g, ' ').trim();
  return one.length > LONGEST ? `${one.slice(0, LONGEST)}…` : one;
}

/** A line of the event log. Lines that are no events are shown unchanged. */
export function eventLine(text: string): LogLine {
  const event = readCodexEvent(text);
  if (event !== null) return codexLine(event, text);
  return itemLine(text) ?? line('', text);
}

function codexLine(event: CodexEvent, raw: string): LogLine {
  switch (event.type) {
    case 'thread.started':
      return line('thread', event.threadId ?? 'started');
    case 'turn.completed': {
      const used = event.usage;
      const tokens = (used?.input_tokens ?? 0) + (used?.output_tokens ?? 0);
      return line('turn', tokens > 0 ? `completed · ${count(tokens)} tokens` : 'completed', 'done');
    }
    case 'turn.failed':
      return line('turn', `failed: ${event.message}`, 'failed');
    case 'error':
      return line('error', event.message, 'failed');
    case 'request_user_input':
      return line('asks', 'the worker asks for input', 'waits');
    case 'item':
      return codexItem(event, raw);
    case 'other':
      return event.name === 'turn.started' ? line('turn', 'started') : line(event.name, withoutType(raw));
  }
}

const withoutType = (raw: string): string => raw.replace(/^\s*\{\s*"type"\s*:\s*"[^"]*"\s*,?\s*/, '{ ');

function codexItem({ item, moment }: Extract<CodexEvent, { type: 'item' }>, raw: string): LogLine {
  const state = moment === 'completed' ? '' : `${moment}: `;
  switch (item.type) {
    case 'agent_message':
      return line('says', codexItemShapes().agent_message.parse(item).text, 'running');
    case 'reasoning':
      return line('thinks', codexItemShapes().reasoning.parse(item).text);
    case 'command_execution': {
      const { command, exit_code: code } = codexItemShapes().command_execution.parse(item);
      const end = moment !== 'completed' || code === null ? '' : ` · exit ${code}`;
      return line('runs', `${state}${command}${end}`, code !== null && code !== 0 ? 'failed' : 'grey');
    }
    case 'file_change': {
      const { changes } = codexItemShapes().file_change.parse(item);
      return line('edits', state + changes.map(({ path }) => path).join(', '));
    }
    case 'mcp_tool_call': {
      const { server, tool } = codexItemShapes().mcp_tool_call.parse(item);
      return line('tool', `${state}${server}.${tool}`);
    }
    case 'web_search':
      return line('searches', codexItemShapes().web_search.parse(item).query);
    case 'todo_list': {
      const { items } = codexItemShapes().todo_list.parse(item);
      return line('plan', `${items.filter(({ completed }) => completed).length} of ${items.length} done`);
    }
    case 'error':
      return line('error', codexItemShapes().error.parse(item).message, 'failed');
    default:
      return line(item.type, state + withoutType(raw));
  }
}

/** A line of the log that Muster keeps for workers without their own: a transcript item. */
function itemLine(text: string): LogLine | null {
  const item = fieldOf(parse(text), 'item');
  const type = fieldOf(item, 'type');
  if (typeof type !== 'string') return null;
  const said = fieldOf(item, 'text');
  if (typeof said === 'string')
    return line(type === 'text' ? 'says' : type === 'thought' ? 'thinks' : type, said);
  const call = fieldOf(item, 'call');
  const [title, status] = [fieldOf(call, 'title'), fieldOf(call, 'status')];
  if (typeof title !== 'string') return line(type, JSON.stringify(item));
  const end = typeof status === 'string' ? ` · ${status.replace('_', ' ')}` : '';
  return line(type, title.replace(/^`([^`]*)`$/, '$1') + end, status === 'failed' ? 'failed' : 'grey');
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownValue(value as Record<string, unknown>, name) : undefined;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const OWN = '{"attempt":';

/**
 * Joins streamed pieces of consecutive texts and thoughts in Muster's own log of an agent. Lines of other
 * logs stay unchanged.
 */
export function joinPieces(lines: readonly string[]): readonly string[] {
  if (!lines.some((text) => text.startsWith(OWN))) return lines;
  const joined: string[] = [];
  let [kind, said] = ['', ''];
  for (const text of lines) {
    const entry = text.startsWith(OWN) ? parse(text) : null;
    const item = fieldOf(entry, 'item');
    const [type, piece] = [fieldOf(item, 'type'), fieldOf(item, 'text')];
    if ((type !== 'text' && type !== 'thought') || typeof piece !== 'string') {
      kind = '';
      joined.push(text);
      continue;
    }
    const continues = kind === type;
    if (continues) joined.pop();
    said = (continues ? said : '') + piece;
    kind = type;
    joined.push(JSON.stringify({ attempt: fieldOf(entry, 'attempt'), item: { type, text: said } }));
  }
  return joined;
}

/** The whole line, formatted for reading. */
export function unfolded(text: string): string {
  const value = parse(text);
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text;
}
