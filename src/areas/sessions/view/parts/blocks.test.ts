import type { GateState } from '@contract/run/state';
import type { Block } from '@renderer/client/runs/transcript';
import { expect, test } from 'vitest';
import { pieces } from './blocks';

const text = (key: number, text: string): Block => ({ kind: 'text', key, text });
const tool = (key: number, title: string, kind = 'edit'): Block => ({
  kind: 'tool',
  key,
  call: { id: `call${key}`, title, kind, status: 'completed' },
});
const gate = (id: number, title: string | null, kind = 'edit') =>
  ({ id, request: title === null ? null : { title, kind } }) as GateState;

const drawn = (blocks: readonly Block[], gates: readonly GateState[] = []) =>
  pieces(blocks, gates).map((piece) =>
    piece.kind === 'tools'
      ? piece.blocks.map((block) => block.call.title).join(' ')
      : piece.kind === 'gate'
        ? `gate ${piece.gate.id}`
        : piece.block.kind,
  );

test('tool calls that follow each other are joined, and empty texts are left out', () => {
  expect(drawn([text(0, 'Hm'), tool(1, 'a'), text(2, ' \n'), tool(3, 'b'), text(4, 'Done')])).toEqual([
    'text',
    'a b',
    'text',
  ]);
});

test('a permission stands behind its tool call, also where two have one name', () => {
  const blocks = [tool(0, 'Write a'), tool(1, 'ls', 'execute'), tool(2, 'Write a'), text(3, 'Done')];
  const gates = [gate(1, 'Write a'), gate(2, 'Write a')];
  expect(drawn(blocks, gates)).toEqual(['Write a', 'gate 1', 'ls Write a', 'gate 2', 'text']);
});

test('gates of no tool call stand at the end', () => {
  const gates = [gate(1, null), gate(2, 'ls', 'read'), gate(3, 'ls', 'execute')];
  expect(drawn([tool(0, 'ls', 'execute'), text(1, 'x')], gates)).toEqual([
    'ls',
    'gate 3',
    'text',
    'gate 1',
    'gate 2',
  ]);
});

test('each piece of a transcript has a key of its own', () => {
  const keys = pieces([text(1, 'a'), tool(2, 'b')], [gate(1, 'b'), gate(2, null)]).map((piece) => piece.key);
  expect(new Set(keys).size).toBe(keys.length);
});
