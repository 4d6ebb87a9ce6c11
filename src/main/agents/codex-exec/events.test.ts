import { transcriptItemSchema } from '@areas/sessions/contract/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, itemsOf } from './events';

const item = (moment: string, more: object) =>
  JSON.stringify({ type: `item.${moment}`, item: { id: 'i1', ...more } });

test('the transcript shows what Codex says and does', () => {
  expect(itemsOf(item('completed', { type: 'agent_message', text: 'Hello' }))).toEqual([
    { type: 'text', text: 'Hello', message: 'i1' },
  ]);
  expect(itemsOf(item('completed', { type: 'reasoning', text: 'Hm' }))).toEqual([
    { type: 'thought', text: 'Hm\n\n' },
  ]);
  const ran = {
    type: 'command_execution',
    command: 'npm test',
    aggregated_output: 'ok',
    exit_code: 1,
    status: 'failed',
  };
  expect(itemsOf(item('completed', ran))).toEqual([
    { type: 'tool', call: { id: 'i1', title: 'npm test', kind: 'execute', status: 'failed', output: 'ok' } },
  ]);
  expect(commandOf(item('completed', ran))).toEqual({ command: 'npm test', exitCode: 1, outputTail: 'ok' });
  expect(commandOf(item('started', ran))).toBeNull();
  expect(itemsOf(item('updated', { type: 'todo_list', items: [{ text: 'a', completed: true }] }))).toEqual([
    { type: 'plan', entries: [{ content: 'a', status: 'completed', priority: 'medium' }] },
  ]);
  expect(
    itemsOf(item('completed', { type: 'file_change', changes: [{ path: 'a.ts', kind: 'add' }] })),
  ).toMatchObject([{ call: { title: 'Edit a.ts', kind: 'edit', status: 'completed', locations: ['a.ts'] } }]);
});

test('the transcript shows an unknown event as it came', () => {
  const line = item('completed', { type: 'hologram', shape: 'cube' });
  expect(itemsOf(line)).toEqual([{ type: 'notice', text: `hologram: ${line}` }]);
  expect(itemsOf('{"type":"turn.paused"}')).toEqual([
    { type: 'notice', text: 'turn.paused: {"type":"turn.paused"}' },
  ]);
  expect(itemsOf('plain words')).toEqual([{ type: 'notice', text: 'Codex printed: plain words' }]);
});

test('the transcript has valid items for any line', () => {
  const types = [
    'agent_message',
    'reasoning',
    'command_execution',
    'file_change',
    'mcp_tool_call',
    'web_search',
    'todo_list',
    'error',
    'x',
  ];
  const values = fc.record(
    Object.fromEntries(
      [
        'text',
        'command',
        'aggregated_output',
        'exit_code',
        'status',
        'changes',
        'server',
        'tool',
        'arguments',
        'query',
        'items',
        'message',
        'id',
      ].map((key) => [key, fc.jsonValue()]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom('started', 'updated', 'completed'),
      values,
      (type, moment, more) => {
        const line = JSON.stringify({ type: `item.${moment}`, item: { ...more, type } });
        commandOf(line);
        for (const one of itemsOf(line)) transcriptItemSchema.parse(one);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.string(),
      (line) => void itemsOf(line).forEach((one) => void transcriptItemSchema.parse(one)),
    ),
  );
});
