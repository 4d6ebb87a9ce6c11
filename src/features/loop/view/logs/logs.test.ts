import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { expect, test } from 'vitest';
import { eventLine, joinPieces, unfolded } from './log-lines';
import { LogReader } from './log-reader';

/** An in-memory file whose pages end at any position. */
function over(text: () => string, pageBytes: number) {
  const asked: number[] = [];
  const reader = new LogReader(
    async (from) => {
      asked.push(from);
      const start = Math.min(from, text().length);
      const to = Math.min(text().length, start + pageBytes);
      const page = { path: '/x', size: text().length, from: start, to, overwritten: false };
      return ok({ ...page, text: text().slice(start, to) });
    },
    () => {},
  );
  return { reader, asked };
}

test('pages are joined to lines wherever they are cut, and reading goes on when the file grows', async () => {
  let text = 'one\ntwo\nthree';
  const { reader } = over(() => text, 5);
  while (!reader.atEnd) await reader.more();
  expect(reader.view.lines).toEqual(['one', 'two', 'three']);
  text += ' and a half\nfour\n';
  await reader.more();
  while (!reader.atEnd) await reader.more();
  expect(reader.view.lines).toEqual(['one', 'two', 'three and a half', 'four']);
  await reader.more();
  expect(reader.view.lines).toHaveLength(4);
});

test('a log that was begun again is read from its beginning', async () => {
  let text = 'a long first text\n';
  const { reader } = over(() => text, 100);
  await reader.more();
  text = 'b\n';
  await reader.more();
  await reader.more();
  expect(reader.view.lines).toEqual(['b']);
});

test('a log is read near its end, and says what could not be read', async () => {
  const text = 'x'.repeat(300 * 1024);
  const { reader, asked } = over(() => text, 1024);
  await reader.more();
  await reader.begin('end');
  expect(asked).toEqual([0, text.length - 256 * 1024]);
  expect(reader.view.from).toBe(text.length - 256 * 1024);
  const broken = new LogReader(
    async () => err(appError('unavailable', 'gone')),
    () => {},
  );
  await broken.more();
  expect(broken.view).toMatchObject({ status: 'failed', error: { message: 'gone' } });
});

test('text that was streamed in pieces is joined, in the log that Muster keeps itself', () => {
  const item = (type: string, text: string) => JSON.stringify({ attempt: 1, item: { type, text } });
  const lines = [
    item('thought', 'a'),
    item('text', 'One '),
    item('text', 'two'),
    '{"attempt":1}',
    item('text', '3'),
  ];
  expect(joinPieces(lines)).toEqual([
    item('thought', 'a'),
    item('text', 'One two'),
    '{"attempt":1}',
    item('text', '3'),
  ]);
  const codex = ['{"type":"turn.started"}', 'x'];
  expect(joinPieces(codex)).toBe(codex);
});

test('each event of Codex is shown in a line, and any other line as it stands', () => {
  const item = (more: object) => JSON.stringify({ type: 'item.completed', item: { id: '1', ...more } });
  expect(
    [
      '{"type":"thread.started","thread_id":"T1"}',
      item({ type: 'agent_message', text: 'Done.\nIt is.' }),
      item({ type: 'command_execution', command: 'npm test', exit_code: 1 }),
      item({ type: 'file_change', changes: [{ path: 'a.ts', kind: 'add' }] }),
      '{"type":"turn.completed","usage":{"input_tokens":1500,"output_tokens":500}}',
      '{"type":"turn.failed","error":{"message":"no"}}',
      '{"type":"new.thing","x":1}',
      '{"attempt":1,"item":{"type":"text","text":"Hello"}}',
      '{"attempt":1,"item":{"type":"tool","call":{"id":"1","title":"`ls`","kind":"execute","status":"completed"}}}',
      'not json',
    ].map((text) => {
      const { label, text: said } = eventLine(text);
      return `${label}|${said}`;
    }),
  ).toEqual([
    'thread|T1',
    'says|Done. It is.',
    'runs|npm test · exit 1',
    'edits|a.ts',
    'turn|completed · 2k tokens',
    'turn|failed: no',
    'new.thing|{ "x":1}',
    'says|Hello',
    'tool|ls · completed',
    '|not json',
  ]);
  expect(unfolded('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(unfolded('plain')).toBe('plain');
});
