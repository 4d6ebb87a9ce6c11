import type { PermissionRequest } from '@contract/gate/gate';
import type { Json } from '@contract/ids';
import { ownTool } from './own-tools';

/**
 * Muster's own tools by the names that agents give them: `muster_team_status` (opencode), `mcp.muster.team_status`
 * (Codex), `mcp__muster__team_status` (Claude Code, Qwen Code).
 */
const NAMED = /^(?:muster_|mcp_muster_|mcp__muster__|mcp\.muster\.)([a-z][a-z_]*)$/;

/** Gemini CLI tells no name, and has a title of its own for the tool of an MCP server. */
const TITLED = /^([a-z][a-z_]*) \(muster MCP Server\)$/;

type Fields = Readonly<Record<string, Json>>;

/**
 * Whether an agent asks permission for one of Muster's own tools, as it was recorded from real agents. The title of a
 * command is the command itself, so a name counts only as a whole, and where nothing else is asked about.
 */
export function isOwnTool(request: PermissionRequest): boolean {
  const { tool, title, kind, command, diffs, paths } = request;
  if (command !== undefined || diffs.length > 0 || (paths ?? []).length > 0) return false;
  if (kind === 'execute') return isCodexCall(request);
  // Who tells a tool's name may put anything into its title; opencode tells no name, only a title.
  const name = (tool === kind ? (NAMED.exec(title) ?? TITLED.exec(title)) : NAMED.exec(tool))?.[1];
  return kind === 'other' && name !== undefined && fits(name, fieldsOf(request.input));
}

/** Codex tells of a tool of an MCP server as of something that runs, with the server and the tool as its input. */
function isCodexCall({ title, input }: PermissionRequest): boolean {
  const name = NAMED.exec(title)?.[1];
  const fields = fieldsOf(input);
  if (name === undefined || fields?.server !== 'muster' || fields.tool !== name) return false;
  const { arguments: given, ...more } = fields;
  return given !== undefined && Object.keys(more).length === 2 && fits(name, fieldsOf(given));
}

/** A tool that there is, with no input but its own. Some agents ask before they tell the input. */
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
