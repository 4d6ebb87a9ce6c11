import { describe, expect, test } from 'vitest';
import { toolUpdateSchema } from '../connection/wire';
import { ranCommands } from './ran-commands';
import { mergeTool, type ToolState } from './tool-calls';

const none = { output: () => null, exitCode: () => null };
const tool = (more: Partial<Parameters<typeof mergeTool>[1]>): ToolState =>
  mergeTool(undefined, { toolCallId: 'a', kind: 'execute', status: 'completed', ...more });

test.each([
  ['a line', { rawInput: { command: 'npm test' } }, 'npm test'],
  ['words for a shell', { rawInput: { command: ['bash', '-lc', 'npm test'] } }, 'npm test'],
  ['words', { rawInput: { command: ['npm', 'test'] } }, 'npm test'],
  ['the title alone', { title: '`npm test`' }, 'npm test'],
])('a command is read from %s', (_, more, command) => {
  expect(ranCommands([tool(more)], none).map((one) => one.command)).toEqual([command]);
});

test.each([
  ['exit_code', { rawOutput: { exit_code: 3 } }, 3],
  ['exitCode', { rawOutput: { exitCode: 0 } }, 0],
  ['metadata', { rawOutput: { metadata: { exit: 2 } } }, 2],
  ['its own terminal', { _meta: { terminal_exit: { exit_code: 4 } } }, 4],
  [
    'words at the beginning',
    { status: 'failed' as const, content: [{ type: 'content' as const, content: 'Exit code 5\nboom' }] },
    5,
  ],
  ['nothing', {}, null],
])('the exit code is read from %s', (_, more, exitCode) => {
  expect(ranCommands([tool({ rawInput: { command: 'x' }, ...more })], none)[0]?.exitCode).toBe(exitCode);
});

test("the result of a client's terminal is read from it", () => {
  const told = { output: () => 'all good', exitCode: () => 0 };
  const inTerminal = tool({ rawInput: { command: 'x' }, content: [{ type: 'terminal', terminalId: 't' }] });
  expect(ranCommands([inTerminal], told)).toEqual([{ command: 'x', exitCode: 0, outputTail: 'all good' }]);
});

test('the output of Qwen Code is read without the labels that it writes for its model', () => {
  const labelled = 'Command: x\nDirectory: (root)\nOutput: boom\nError: (none)\nExit Code: 1\nSignal: (none)';
  const qwen = tool({
    status: 'failed',
    rawInput: { command: 'x' },
    content: [{ type: 'content', content: labelled }],
    rawOutput: { type: 'shell_result', version: 1, output: 'boom', exitCode: 1 },
  });
  expect(ranCommands([qwen], none)).toEqual([{ command: 'x', exitCode: 1, outputTail: 'boom' }]);
});

test('other tools, and commands that have not ended, are passed over', () => {
  // Codex reports an MCP tool call as something that runs.
  const rawInput = { server: 'muster', tool: 'team_status', arguments: {} };
  const others = [
    tool({ kind: 'edit', title: 'x' }),
    tool({ status: 'in_progress', title: 'y' }),
    tool({ title: 'mcp.muster.team_status', rawInput }),
  ];
  expect(ranCommands(others, none)).toEqual([]);
});

/** The recorded messages, without those that contain no command. */
const recorded = (...updates: readonly object[]): ToolState => {
  let state: ToolState | undefined;
  for (const update of updates) state = mergeTool(state, toolUpdateSchema.parse(update));
  if (state === undefined) throw new Error('nothing was recorded');
  return state;
};

const toolCallId = 'call_1';
const command = 'node --test sum.test.mjs';
const tap = 'TAP version 13\nnot ok 1 - fails\n# fail 1\n';
const ran = { command, exitCode: 1, outputTail: tap };

describe('recordings of a failed test run', () => {
  test('a failed test run of opencode 1.18.33 is read', () => {
    const content = [{ type: 'content', content: { type: 'text', text: tap } }];
    const tool = recorded(
      { toolCallId, title: 'bash', kind: 'execute', status: 'pending', rawInput: { cwd: '/w' } },
      {
        toolCallId,
        status: 'in_progress',
        kind: 'execute',
        title: command,
        rawInput: { command, cwd: '/w' },
      },
      {
        toolCallId,
        status: 'completed',
        title: command,
        content,
        rawOutput: { output: tap, metadata: { output: tap, exit: 1, truncated: false } },
      },
    );
    expect(ranCommands([tool], none)).toEqual([ran]);
  });

  test('a failed test run of Codex 0.169.0 with codex-acp 2.6.0 is read', () => {
    const tool = recorded(
      {
        toolCallId,
        name: 'exec_command',
        kind: 'execute',
        title: command,
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: toolCallId }],
        rawInput: { command, cwd: '/w' },
        _meta: { terminal_info: { cwd: '/w', terminal_id: toolCallId } },
      },
      {
        toolCallId,
        status: 'failed',
        _meta: {
          terminal_output_delta: { data: tap, terminal_id: toolCallId },
          terminal_exit: { exit_code: 1, signal: null, terminal_id: toolCallId },
        },
      },
    );
    expect(ranCommands([tool], none)).toEqual([ran]);
  });

  const begun = {
    toolCallId,
    name: 'Bash',
    rawInput: {},
    status: 'pending',
    title: 'Terminal',
    kind: 'execute',
  };
  const named = { toolCallId, rawInput: { command }, title: command };

  test('a failed test run of Claude Code 2.1.328 with claude-agent-acp 0.100.0 is read', () => {
    const tool = recorded(
      { ...begun, content: [{ type: 'terminal', terminalId: toolCallId }] },
      named,
      {
        toolCallId,
        _meta: { terminal_output_delta: { terminal_id: toolCallId, data: `Exit code 1\n${tap}` } },
      },
      {
        toolCallId,
        status: 'failed',
        _meta: { terminal_exit: { terminal_id: toolCallId, exit_code: 1, signal: null } },
      },
    );
    expect(ranCommands([tool], none)).toEqual([{ ...ran, outputTail: `Exit code 1\n${tap}` }]);
  });

  test('a failed test run of Claude Code is read where the client does not say that it reads terminals', () => {
    const printed = `Exit code 1\n${tap.trimEnd()}`;
    const fenced = { type: 'text', text: `\`\`\`\n${printed}\n\`\`\`` };
    const tool = recorded({ ...begun, content: [] }, named, {
      toolCallId,
      status: 'failed',
      rawOutput: printed,
      content: [{ type: 'content', content: fenced }],
    });
    expect(ranCommands([tool], none)).toEqual([{ ...ran, outputTail: printed }]);
  });
});

test('marks of Markdown stay where they are the output itself', () => {
  const content = '```js\nlet a;\n```\nand\n```js\nlet b;\n```';
  const tool = mergeTool(undefined, {
    toolCallId,
    kind: 'execute',
    status: 'completed',
    rawInput: { command: 'cat README.md' },
    content: [{ type: 'content', content }],
  });
  expect(ranCommands([tool], none)[0]?.outputTail).toBe(content);
});
