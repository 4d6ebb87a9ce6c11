import { expect, it } from 'vitest';
import { ranCommands } from './ran-commands';
import { mergeTool, type ToolState } from './tool-calls';

const none = { output: () => null, exitCode: () => null };
const tool = (more: Partial<Parameters<typeof mergeTool>[1]>): ToolState =>
  mergeTool(undefined, { toolCallId: 'a', kind: 'execute', status: 'completed', ...more });

it.each([
  ['a line', { rawInput: { command: 'npm test' } }, 'npm test'],
  ['words for a shell', { rawInput: { command: ['bash', '-lc', 'npm test'] } }, 'npm test'],
  ['words', { rawInput: { command: ['npm', 'test'] } }, 'npm test'],
  ['the title alone', { title: '`npm test`' }, 'npm test'],
])('reads a command from %s', (_, more, command) => {
  expect(ranCommands([tool(more)], none).map((one) => one.command)).toEqual([command]);
});

it.each([
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
])('takes the exit code from %s', (_, more, exitCode) => {
  expect(ranCommands([tool({ rawInput: { command: 'x' }, ...more })], none)[0]?.exitCode).toBe(exitCode);
});

it("takes what a client's terminal told", () => {
  const told = { output: () => 'all good', exitCode: () => 0 };
  const inTerminal = tool({ rawInput: { command: 'x' }, content: [{ type: 'terminal', terminalId: 't' }] });
  expect(ranCommands([inTerminal], told)).toEqual([{ command: 'x', exitCode: 0, outputTail: 'all good' }]);
});

it('passes over other tools and commands that have not ended', () => {
  const others = [tool({ kind: 'edit', title: 'x' }), tool({ status: 'in_progress', title: 'y' })];
  expect(ranCommands(others, none)).toEqual([]);
});
