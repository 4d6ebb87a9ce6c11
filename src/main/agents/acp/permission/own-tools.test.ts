import { describe, expect, test } from 'vitest';
import { isOwnTool } from '../../../core/engine/permissions/own-tool';
import { prompt, World } from '../../scripted/testing/world';
import { fakeAgent } from '../testing/fake-agent';

const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const input = { tasks: [{ content: 'one' }] };

/** The request for a tool of Muster's as each agent sends it. */
const asCodex = {
  kind: 'execute',
  title: 'mcp.muster.team_tasks_add',
  status: 'pending',
  rawInput: { server: 'muster', tool: 'team_tasks_add', arguments: input },
};
const asClaude = {
  kind: 'other',
  title: 'mcp__muster__team_tasks_add',
  rawInput: input,
  _meta: { claudeCode: { toolName: 'mcp__muster__team_tasks_add' } },
};
const asGemini = {
  kind: 'other',
  title: 'team_tasks_add (muster MCP Server)',
  status: 'pending',
  content: [{ type: 'content', content: { type: 'text', text: JSON.stringify(input) } }],
};
/** Its title is the input. */
const asQwen = {
  kind: 'other',
  title: JSON.stringify(input),
  rawInput: input,
  _meta: { toolName: 'mcp__muster__team_tasks_add' },
};
const asOpencode = {
  kind: 'other',
  title: 'muster_team_tasks_add',
  status: 'pending',
  locations: [],
  rawInput: {},
};

type Profile = Readonly<Record<string, unknown>>;

/** The answer to an agent that requests a tool, with a profile, and with or without Muster's tools. */
async function answered(toolCall: object, profile: Profile, given = true): Promise<string> {
  const world = new World();
  if (given) Object.assign(world.listener, { ownTool: isOwnTool });
  const asks = { toolCall: { toolCallId: 'c', ...toolCall }, options };
  const handlers = `{ 'session/prompt': async () => {
    const { outcome } = await ask('session/request_permission', ${JSON.stringify(asks)});
    if (handlers.done) return { stopReason: 'end_turn' };
    handlers.done = true;
    text(outcome.optionId ?? outcome.outcome);
    return { stopReason: 'end_turn' };
  } }`;
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers), { profile });
  if (!opened.ok) throw new Error(opened.error.message);
  const { response } = await opened.value.turn(prompt('x'));
  expect(world.listener.asked).toEqual([]);
  return response;
}

describe.each([
  ['denies all', { permissions: 'deny' }],
  ['denies all and only reads', { permissions: 'deny', read_only: true }],
])('a profile that %s', (...[, profile]) => {
  test.each([
    ['Codex', asCodex],
    ['Claude Code', asClaude],
    ['Gemini CLI', asGemini],
    ['Qwen Code', asQwen],
    ['opencode', asOpencode],
  ])("a denying profile lets %s use Muster's own tools, which it was given", async (...[, toolCall]) => {
    expect(await answered(toolCall, profile)).toBe('yes');
  });

  test.each([
    ['a command', { kind: 'execute', title: 'mcp.muster.team_status', rawInput: { command: 'rm -rf ~' } }],
    ['a tool of another server', { ...asCodex, rawInput: { ...asCodex.rawInput, server: 'other' } }],
    ['an edit under such a name', { ...asClaude, kind: 'edit' }],
    ['a tool beside a file', { ...asOpencode, locations: [{ path: '/etc/passwd' }] }],
    ['a tool that there is not', { ...asOpencode, title: 'muster_team_run' }],
  ])("a denying profile allows nothing besides Muster's own tools: %s", async (...[, toolCall]) => {
    expect(await answered(toolCall, profile)).toBe('no');
  });

  test("a denying profile lets no agent use Muster's own tools that was not given them", async () => {
    expect(await answered(asCodex, profile, false)).toBe('no');
  });
});
