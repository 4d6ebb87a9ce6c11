import type { PermissionRequest } from '@areas/gates/contract/gate';
import { describe, expect, test } from 'vitest';
import { isOwnTool } from './own-tool';

const request = (more: Partial<PermissionRequest>): PermissionRequest => ({
  tool: 'other',
  title: '',
  kind: 'other',
  diffs: [],
  hash: 'h',
  ...more,
});

const arguments_ = { tasks: [{ content: 'one' }] };
const codex = (more: Partial<PermissionRequest> = {}) =>
  request({
    tool: 'execute',
    kind: 'execute',
    title: 'mcp.muster.team_tasks_add',
    input: { server: 'muster', tool: 'team_tasks_add', arguments: arguments_ },
    ...more,
  });
const claude = (more: Partial<PermissionRequest> = {}) =>
  request({
    tool: 'mcp__muster__team_tasks_add',
    title: 'mcp__muster__team_tasks_add',
    input: arguments_,
    ...more,
  });

describe('questions for Muster’s own tools', () => {
  test.each([
    // Asked before the input is known.
    ['opencode 1.18.33', request({ title: 'muster_team_tasks_add', input: {} })],
    ['Gemini CLI 0.61.0', request({ title: 'team_tasks_add (muster MCP Server)' })],
    ['Codex 0.169.0 with codex-acp 2.6.0', codex()],
    ['Claude Code 2.1.328 with claude-agent-acp 0.100.0', claude()],
  ])('the question of %s for one of Muster’s own tools is recognized', (_, asked) => {
    expect(isOwnTool(asked)).toBe(true);
  });
});

describe('questions that only look like one for Muster’s own tools', () => {
  test.each([
    // A command's title is the command itself, whose text the model controls.
    [
      'a command that ends with the name',
      request({ tool: 'execute', kind: 'execute', title: 'rm -rf ~ # muster team_status' }),
    ],
    [
      'a command that is the name',
      codex({ title: 'mcp.muster.team_status', input: { command: 'mcp.muster.team_status', cwd: '/w' } }),
    ],
    ['a tool of another server', request({ title: 'team_tasks_add (other MCP Server)' })],
    [
      'a command with such a title',
      request({ tool: 'execute', kind: 'execute', title: 'team_status (muster MCP Server)' }),
    ],
    ['a tool that does not exist', request({ title: 'team_everything (muster MCP Server)' })],
    ['a command beside it', codex({ command: 'rm -rf ~' })],
    [
      'a command with the fields of a tool',
      codex({ input: { server: 'muster', tool: 'team_tasks_add', cmd: 'x' } }),
    ],
    ['a tool with such a title', claude({ tool: 'Bash', title: 'mcp__muster__team_status' })],
    [
      'another tool that is given such a title',
      request({ title: 'muster_team_status', input: { url: 'x' } }),
    ],
    ['a change of a file', claude({ diffs: [{ path: 'a', oldText: null, newText: 'b' }] })],
    ['a file', claude({ paths: ['/etc/passwd'] })],
    ['an edit', claude({ kind: 'edit' })],
    ['a server with such an end', claude({ tool: 'mcp__not-muster__team_tasks_add' })],
    ['a server with such a beginning', claude({ tool: 'mcp__muster_x__team_tasks_add' })],
    [
      'a tool of another server',
      codex({ input: { server: 'other', tool: 'team_tasks_add', arguments: {} } }),
    ],
    ['a tool that there is not', claude({ tool: 'mcp__muster__team_run', title: 'x' })],
    ['a name in other letters', claude({ tool: 'MCP__Muster__team_tasks_add' })],
    ['more than one line', request({ title: 'muster_team_status\n', input: {} })],
    ['input that is no object', claude({ input: 'x' })],
  ])('a question with %s is not taken for one of Muster’s own tools', (_, asked) => {
    expect(isOwnTool(asked)).toBe(false);
  });
});
