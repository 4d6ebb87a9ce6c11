import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { Json } from '@contract/ids';
import { ownTool } from './own-tools';

/**
 * Muster's own tools as agents name them: `muster_team_status` (opencode), `mcp.muster.team_status` (Codex),
 * `mcp__muster__team_status` (Claude Code, Qwen Code).
 */
const NAMED = /^(?:muster_|mcp_muster_|mcp__muster__|mcp\.muster\.)([a-z][a-z_]*)$/;

/** Gemini CLI reports no name, but a special title for MCP tools. */
const TITLED = /^([a-z][a-z_]*) \(muster MCP Server\)$/;

type Fields = Readonly<Record<string, Json>>;

/**
 * Whether an agent requests permission for one of Muster's own tools, based on recordings of real agents. A
 * command's title is the command itself, so a name counts only as the whole title of a request that contains
 * nothing else.
 */
export function isOwnTool(request: PermissionRequest): boolean {
  const { tool, title, kind, command, diffs, paths } = request;
  if (command !== undefined || diffs.length > 0 || (paths ?? []).length > 0) return false;
  if (kind === 'execute') return isCodexCall(request);
  // Agents that report a tool name may put anything into the title; opencode reports only a title.
  const name = (tool === kind ? (NAMED.exec(title) ?? TITLED.exec(title)) : NAMED.exec(tool))?.[1];
  return kind === 'other' && name !== undefined && fits(name, fieldsOf(request.input));
}

/** Codex reports an MCP tool call as a running tool, with server and tool as its input. */
function isCodexCall({ title, input }: PermissionRequest): boolean {
  const name = NAMED.exec(title)?.[1];
  const fields = fieldsOf(input);
  if (name === undefined || fields?.server !== 'muster' || fields.tool !== name) return false;
  const { arguments: given, ...more } = fields;
  return given !== undefined && Object.keys(more).length === 2 && fits(name, fieldsOf(given));
}

/** An existing tool with only valid input. Some agents ask before the input is known. */
function fits(name: string, input: Fields | null): boolean {
  const known = ownTool(name)?.input.shape;
  return (
    known !== undefined && input !== null && Object.keys(input).every((key) => Object.hasOwn(known, key))
  );
}

function fieldsOf(input: Json | undefined): Fields | null {
  if (input === undefined) return {};
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : null;
}
