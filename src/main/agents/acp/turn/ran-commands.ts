import type { RanCommand } from '@areas/changes/contract/changes';
import { z } from 'zod';
import { type ToolState, toToolCall } from './tool-calls';

const MOST_COMMANDS = 50;
const TAIL = 4_000;

/** Forms of reported commands: a line, or words of which the last is a line for a shell. */
const inputSchema = z.object({
  command: z.union([z.string(), z.array(z.string()).min(1)]),
});

const exitSchema = z.object({
  exit_code: z.number().nullish(),
  exitCode: z.number().nullish(),
  metadata: z.object({ exit: z.number().nullish() }).nullish(),
});

/** The output of a call's client terminal, and its exit status. */
interface TerminalReports {
  output(id: string): string | null;
  exitCode(id: string): number | null;
}

/** The finished commands among a turn's tool calls, in order; the last fifty. */
export function ranCommands(tools: Iterable<ToolState>, terminals: TerminalReports): RanCommand[] {
  const ran: RanCommand[] = [];
  for (const tool of tools) {
    const command = tool.kind === 'execute' ? commandOf(tool) : null;
    if (command === null || (tool.status !== 'completed' && tool.status !== 'failed')) continue;
    const output = shellResult(tool) ?? unfenced(toToolCall(tool, (id) => terminals.output(id)).output ?? '');
    const exitCode = exitOf(tool, output, terminals);
    const at = tool.endedAt === undefined ? {} : { at: tool.endedAt };
    ran.push({ command, exitCode, outputTail: output.slice(-TAIL), ...at });
  }
  return ran.slice(-MOST_COMMANDS);
}

/** Codex reports an MCP tool call as something that runs. */
const mcpSchema = z.object({ server: z.string(), tool: z.string() });

function commandOf({ rawInput, title }: ToolState): string | null {
  const input = inputSchema.safeParse(rawInput);
  if (!input.success && mcpSchema.safeParse(rawInput).success) return null;
  if (!input.success) return title === '' ? null : title.replace(/^`(.*)`$/s, '$1');
  const { command } = input.data;
  return typeof command === 'string' ? command : lineOf(command);
}

/** `["bash", "-lc", "npm test"]` is the line `npm test`. */
function lineOf(words: readonly string[]): string {
  const shell = /(^|\/)(ba|z|da|k)?sh$/.test(words[0] ?? '') && /^-[a-z]*c$/.test(words[1] ?? '');
  return shell ? (words[2] ?? '') : words.join(' ');
}

/** An agent without a way to report terminal output puts it into one Markdown block. */
function unfenced(output: string): string {
  const [, fence = '', text] = /^(`{3,})\w*\n([\s\S]*?)\n?\1$/.exec(output.trim()) ?? [];
  return text === undefined || text.includes(`\n${fence}`) ? output : text;
}

/** Qwen Code reports a command's raw output, besides a labelled form for its model. */
const shellResultSchema = z.object({ type: z.literal('shell_result'), output: z.string() });

function shellResult({ rawOutput }: ToolState): string | null {
  const result = shellResultSchema.safeParse(rawOutput);
  return result.success ? result.data.output : null;
}

/** Only reported codes: a tool marked as completed need not have exited with 0. */
function exitOf(tool: ToolState, output: string, terminals: TerminalReports): number | null {
  const raw = exitSchema.safeParse(tool.rawOutput);
  const exitCode = raw.success
    ? (raw.data.exit_code ?? raw.data.exitCode ?? raw.data.metadata?.exit ?? null)
    : null;
  if (exitCode !== null) return exitCode;
  for (const one of tool.content) {
    const code = one.type === 'terminal' ? terminals.exitCode(one.terminalId) : null;
    if (code !== null) return code;
  }
  if (tool.exitCode !== null) return tool.exitCode;
  const match = /^(?:Error: )?Exit code (\d+)\b/.exec(output.trimStart());
  return match === null ? null : Number(match[1]);
}
