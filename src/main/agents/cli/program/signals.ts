import type { ToolCall } from '@areas/sessions/contract/session';
import { ownValue } from '@contract/own';
import { z } from 'zod';

/** An agent's report; `session` is its own id of the conversation, if included. */
export type AgentSignal = { readonly session: string | null } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'prompted' }
  | { readonly kind: 'tool'; readonly call: ToolCall }
  /** It waits for the operator at its terminal. */
  | { readonly kind: 'waiting'; readonly what: string }
  | {
      readonly kind: 'ended';
      /** Its last message; null if not included. */
      readonly response: string | null;
      /** The answered prompt, if included. */
      readonly prompt: string | null;
      /** The error, if there was one. */
      readonly failure: string | null;
    }
);

const lineSchema = z.object({ token: z.string(), body: z.unknown() });

/** The content of an inbox line; null for a line of another session or start. */
export function bodyOf(line: string, token: string): unknown {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    return parsed.success && parsed.data.token === token ? parsed.data.body : null;
  } catch {
    // Incomplete, or written by something else.
    return null;
  }
}

const hookSchema = z.object({
  hook_event_name: z.string(),
  session_id: z.string().nullish(),
  last_assistant_message: z.string().nullish(),
  prompt_response: z.string().nullish(),
  message: z.string().nullish(),
  notification_type: z.string().nullish(),
  error: z.string().nullish(),
  prompt: z.string().nullish(),
  tool_name: z.string().nullish(),
  tool_use_id: z.string().nullish(),
  tool_input: z.json().optional().catch(undefined),
  tool_response: z.json().optional().catch(undefined),
});
type Hook = z.infer<typeof hookSchema>;

/** Hook events of Claude Code, and in the same form of Qwen Code and the Gemini CLI. */
export function readHook(body: unknown): AgentSignal | null {
  const parsed = hookSchema.safeParse(body);
  if (!parsed.success) return null;
  const hook = parsed.data;
  const session = hook.session_id ?? null;
  switch (hook.hook_event_name) {
    case 'SessionStart':
      return { kind: 'started', session };
    case 'UserPromptSubmit':
    case 'BeforeAgent':
      return { kind: 'prompted', session };
    case 'Stop':
    case 'AfterAgent':
      return ended(hook, null);
    case 'StopFailure':
      return ended(
        hook,
        [hook.error, hook.last_assistant_message].filter(Boolean).join(': ') || 'the turn failed',
      );
    case 'PermissionRequest':
      return { kind: 'waiting', session, what: `may it use ${toolTitle(hook)}?` };
    case 'Notification':
      return notification(hook);
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return toolSignal(hook);
    default:
      return null;
  }
}

function ended(hook: Hook, failure: string | null): AgentSignal {
  const response = failure === null ? (hook.last_assistant_message ?? hook.prompt_response ?? null) : null;
  return { kind: 'ended', session: hook.session_id ?? null, response, prompt: hook.prompt ?? null, failure };
}

function notification(hook: Hook): AgentSignal | null {
  const type = hook.notification_type ?? '';
  const session = hook.session_id ?? null;
  // The agent has shown its prompt for a while: the end of its turn was not reported.
  if (type === 'idle_prompt') return ended({ ...hook, last_assistant_message: null }, null);
  if (!/permission|elicitation|dialog/i.test(type)) return null;
  return { kind: 'waiting', session, what: hook.message ?? 'it asks for permission' };
}

const KINDS: Readonly<Record<string, string>> = {
  Bash: 'execute',
  run_shell_command: 'execute',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Read: 'read',
  Grep: 'search',
  Glob: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};
const MOST_OUTPUT = 16_000;

const inputSchema = z.object({ command: z.string().optional(), file_path: z.string().optional() });

function toolSignal(hook: Hook): AgentSignal | null {
  const { tool_name: name, tool_use_id: id, tool_input: input } = hook;
  if (!name || !id) return null;
  const over = hook.hook_event_name !== 'PreToolUse';
  const failed = hook.hook_event_name === 'PostToolUseFailure';
  const path = inputSchema.safeParse(input).data?.file_path;
  const output = failed ? (hook.error ?? '') : outputOf(hook.tool_response);
  const call: ToolCall = {
    id,
    title: toolTitle(hook),
    kind: ownValue(KINDS, name) ?? 'other',
    status: over ? (failed ? 'failed' : 'completed') : 'in_progress',
    ...(input === undefined ? {} : { input }),
    ...(over && output !== '' ? { output: output.slice(0, MOST_OUTPUT) } : {}),
    ...(path === undefined ? {} : { locations: [path] }),
  };
  return { kind: 'tool', session: hook.session_id ?? null, call };
}

function toolTitle({ tool_name, tool_input }: Hook): string {
  const known = inputSchema.safeParse(tool_input).data;
  const about = known?.command ?? known?.file_path;
  return about === undefined ? (tool_name ?? 'a tool') : `${tool_name}: ${about}`.slice(0, 300);
}

const printedSchema = z.object({ stdout: z.string(), stderr: z.string().optional() });

function outputOf(response: Hook['tool_response']): string {
  if (response === undefined || response === null) return '';
  if (typeof response === 'string') return response;
  const printed = printedSchema.safeParse(response).data;
  return printed ? [printed.stdout, printed.stderr].filter(Boolean).join('\n') : JSON.stringify(response);
}

const notifySchema = z.object({
  type: z.literal('agent-turn-complete'),
  'thread-id': z.string().nullish(),
  'input-messages': z.array(z.string()).default([]),
  'last-assistant-message': z.string().nullish(),
});

/** What Codex passes to its `notify` program. Includes side conversations, so the prompt must be compared. */
export function readNotify(body: unknown): AgentSignal | null {
  const parsed = notifySchema.safeParse(body);
  if (!parsed.success) return null;
  return {
    kind: 'ended',
    session: parsed.data['thread-id'] ?? null,
    response: parsed.data['last-assistant-message'] ?? null,
    prompt: parsed.data['input-messages'].at(-1) ?? null,
    failure: null,
  };
}

const plainSchema = z.object({
  type: z.enum(['started', 'prompted', 'ended', 'waiting']),
  session: z.string().nullish(),
  text: z.string().nullish(),
  failure: z.string().nullish(),
});

/** What aider's notification command sends, and operators' own programs. */
export function readPlain(body: unknown): AgentSignal | null {
  const parsed = plainSchema.safeParse(body);
  if (!parsed.success) return null;
  const { failure = null, session = null, text = null, type } = parsed.data;
  if (type === 'ended') return { kind: 'ended', session, response: text, prompt: null, failure };
  if (type === 'waiting') return { kind: 'waiting', session, what: text ?? 'it asks for permission' };
  return { kind: type, session };
}
