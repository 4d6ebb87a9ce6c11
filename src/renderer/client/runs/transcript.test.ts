import type { TranscriptItem } from '@areas/sessions/contract/session';
import { describe, expect, test } from 'vitest';
import { addItems, emptyTranscript, receiveItems } from './transcript';

const text = (text: string): TranscriptItem => ({ type: 'text', text });
const tool = (id: string, status: 'in_progress' | 'completed', more = {}): TranscriptItem => ({
  type: 'tool',
  call: { id, title: `tool ${id}`, kind: 'read', status, ...more },
});

describe('a transcript', () => {
  test('a transcript joins neighbouring pieces of text and keeps each tool call in its place', () => {
    const items = [
      text('Hel'),
      text('lo'),
      tool('1', 'in_progress'),
      text('!'),
      tool('1', 'completed', { output: 'x' }),
    ];
    const { blocks, length } = addItems(emptyTranscript, items);
    expect(length).toBe(5);
    expect(blocks.map((block) => (block.kind === 'text' ? block.text : block.kind))).toEqual([
      'Hello',
      'tool',
      '!',
    ]);
    expect(blocks[1]).toMatchObject({ call: { status: 'completed', output: 'x' } });
  });

  test('a transcript keeps unchanged items the same objects', () => {
    const before = addItems(emptyTranscript, [text('a'), tool('1', 'completed'), text('b')]);
    const after = addItems(before, [text('c')]);
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks[1]).toBe(before.blocks[1]);
    expect(after.blocks[2]).not.toBe(before.blocks[2]);
  });

  test('a transcript has one plan, the last one', () => {
    const plan = (status: string): TranscriptItem => ({
      type: 'plan',
      entries: [{ content: 'one', status, priority: 'high' }],
    });
    const { blocks } = addItems(emptyTranscript, [plan('pending'), text('x'), plan('completed')]);
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toMatchObject({ kind: 'plan', entries: [{ status: 'completed' }] });
  });

  test('a transcript sees a gap, and passes over known items', () => {
    const known = addItems(emptyTranscript, [text('a'), text('b')]);
    expect(receiveItems(known, 3, [text('d')])).toBeNull();
    expect(receiveItems(known, 0, [text('a'), text('b')])).toBe(known);
    expect(receiveItems(known, 1, [text('b'), text('c')])?.blocks[0]).toMatchObject({ text: 'abc' });
  });
});
