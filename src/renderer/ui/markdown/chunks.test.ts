import { expect, test } from 'vitest';
import { markdownChunks } from './chunks';

test('a text is cut between paragraphs, not within lists or code', () => {
  const text = [
    '# Title',
    '',
    'One',
    'two',
    '',
    '- a',
    '',
    '- b',
    '',
    '```ts',
    'const a = 1;',
    '',
    'const b = 2;',
    '```',
    '',
    'End',
  ];
  expect(markdownChunks(text.join('\n')).map((chunk) => chunk.trim())).toEqual([
    '# Title',
    'One\ntwo\n\n- a\n\n- b',
    '```ts\nconst a = 1;\n\nconst b = 2;\n```',
    'End',
  ]);
});

test('all pieces but the last stay as they were while a text grows', () => {
  const text = 'First.\n\nSecond.\n\n```sh\nnpm test\n\nnpm run build\n```\n\nLast.';
  let before: string[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const now = markdownChunks(text.slice(0, length));
    expect(now.slice(0, before.length - 1).map((chunk) => chunk.trimEnd())).toEqual(
      before.slice(0, -1).map((chunk) => chunk.trimEnd()),
    );
    before = now;
  }
});

test('the pieces lose nothing of the text', () => {
  const text = 'a\n\n~~~\nb\n\nc\n~~~\n\nd';
  expect(markdownChunks(text).join('\n')).toBe(text);
});

test('a text with definitions of links stays whole', () => {
  expect(markdownChunks('See [it][1].\n\n[1]: https://example.com')).toHaveLength(1);
});
