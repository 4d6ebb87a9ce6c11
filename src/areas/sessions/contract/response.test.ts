import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuedResponse, ResponseReader, responseOf } from './response';
import type { TranscriptItem } from './session';

const text = (said: string, message?: string): TranscriptItem => ({
  type: 'text',
  text: said,
  ...(message === undefined ? {} : { message }),
});
const thought = (said: string): TranscriptItem => ({ type: 'thought', text: said });
const tool = (
  id: string,
  status: 'in_progress' | 'completed' | 'failed' = 'in_progress',
): TranscriptItem => ({
  type: 'tool',
  call: { id, title: id, kind: 'edit', status },
});
const plan: TranscriptItem = { type: 'plan', entries: [] };

test.each<[string, TranscriptItem[], string]>([
  ['one message in pieces', [text('Do'), text('ne.')], 'Done.'],
  [
    'only the text after the last tool call',
    [text('I look.'), tool('1'), tool('1', 'completed'), text('I write.'), tool('2'), text('Done.')],
    'Done.',
  ],
  ['the last message where no tool was called', [text('Thinking.', 'a'), text('Done.', 'b')], 'Done.'],
  [
    'several messages after the last tool call, with an empty line between them',
    [text('I look.', 'a'), tool('1'), text('First.', 'b'), text('Sec', 'c'), text('ond.', 'c')],
    'First.\n\nSecond.',
  ],
  [
    'one message as it is where a tool call begins in the middle of it',
    [text('{"decision":', 'a'), tool('1'), text(' "approve"}', 'a')],
    '{"decision": "approve"}',
  ],
  [
    'one message as it is where a plan or a thought comes in the middle of it',
    [tool('1'), text('{"deci', 'a'), plan, text('sion":', 'a'), thought('hm'), text(' "revise"}', 'a')],
    '{"decision": "revise"}',
  ],
  [
    'words without an id as they are where an earlier tool call ends in the middle of them',
    [tool('1'), text('All is '), tool('1', 'completed'), text('well.')],
    'All is well.',
  ],
  [
    'the last message before the last tool call where nothing was said after it',
    [text('Old.', 'a'), text('I have done it.', 'b'), tool('1'), tool('1', 'completed')],
    'I have done it.',
  ],
  ['no blanks that follow the last tool call', [text('Done.'), tool('1'), text('\n'), text(' ')], 'Done.'],
  [
    'what an agent says after it was denied a tool',
    [text('I edit.'), tool('1'), tool('1', 'failed'), text('I was not allowed.')],
    'I was not allowed.',
  ],
  [
    'the words after a plan where the agent numbers no messages',
    [text('I plan.'), plan, text('Done.')],
    'Done.',
  ],
  ['nothing where nothing was said', [thought('hm'), tool('1'), plan], ''],
  [
    'two messages that arrive in turns, each whole',
    [tool('1'), text('On', 'a'), text('Tw', 'b'), text('e.', 'a'), text('o.', 'b')],
    'One.\n\nTwo.',
  ],
])('the response is %s', (_, items, response) => {
  expect(responseOf(items).response).toBe(response);
});

test('the response says where its tool calls were', () => {
  expect(responseOf([text('a')]).toolCalls).toBe('none');
  expect(responseOf([text('a'), tool('1'), text('b')]).toolCalls).toBe('before');
  expect(responseOf([text('a'), tool('1')]).toolCalls).toBe('after');
  expect(responseOf([text('a', 'm'), tool('1'), text('b', 'm')]).toolCalls).toBe('before');
});

test('a response that is too long keeps its beginning, and what came before the last tool call takes no room', () => {
  const reader = new ResponseReader(10);
  for (const item of [text('x'.repeat(50)), tool('1'), text('12345'), text('67')]) reader.hear(item);
  expect([reader.response, reader.cut]).toEqual(['1234567', false]);
  reader.hear(text('89abc'));
  expect([reader.response, reader.cut]).toEqual(['123456789a', true]);
});

test('what an agent answers to a further prompt within the turn is its response, where it answers', () => {
  const reader = new ResponseReader();
  for (const item of [tool('1'), text('I was not allowed.', 'a')]) reader.hear(item);
  reader.prompted();
  expect(reader.response).toBe('I was not allowed.');
  reader.hear(text('I did it without.', 'b'));
  expect(reader.response).toBe('I did it without.');
});

const none = (response: string) => ({ response, toolCalls: 'none' as const });

const used = (response: string, toolCalls: 'before' | 'after') => ({ response, toolCalls });

test.each([
  {
    what: 'both parts where neither called a tool',
    parts: [none('It is'), none('done.')],
    whole: 'It is\n\ndone.',
  },
  {
    what: 'what came after the last tool call of the first part, and all that followed',
    parts: [used('So', 'before'), none('on.')],
    whole: 'So\n\non.',
  },
  {
    what: 'only the new text where the first part ended in a tool call',
    parts: [used('I look.', 'after'), none('Done.')],
    whole: 'Done.',
  },
  {
    what: 'only the new text where the continuation called tools',
    parts: [none('I look.'), used('Done.', 'before')],
    whole: 'Done.',
  },
  {
    what: 'the old text where the continuation said nothing',
    parts: [none('Done.'), none('')],
    whole: 'Done.',
  },
  {
    what: 'both parts where an earlier Muster wrote them',
    parts: [{ response: 'It is\n' }, { response: 'done.' }],
    whole: 'It is\ndone.',
  },
])('the response of a turn that was cut off and continued is $what', ({ parts, whole }) => {
  const [before = none(''), after = none('')] = parts;
  expect(continuedResponse(before, after).response).toBe(whole);
});

const streams = fc.array(
  fc.oneof(
    fc
      .record({ said: fc.stringMatching(/^[a-z]{1,5}$/), message: fc.constantFrom('a', 'b', 'c') })
      .map(({ said, message }) => text(said, message)),
    fc.constantFrom(tool('1'), tool('2'), tool('3'), tool('1', 'completed'), plan, thought('t')),
  ),
  { maxLength: 30 },
);

test('every message after the last tool call is in the response, whole, and an older one that goes on only where there is no newer one', () => {
  fc.assert(
    fc.property(streams, (items) => {
      const begins = items.flatMap((item, at) =>
        item.type === 'tool' &&
        !items.slice(0, at).some((one) => one.type === 'tool' && one.call.id === item.call.id)
          ? [at]
          : [],
      );
      const lastTool = begins.at(-1) ?? -1;
      const after = items.flatMap((item, at) =>
        item.type === 'text' && at > lastTool ? [item.message] : [],
      );
      fc.pre(begins.length === 1 && after.length > 0);
      const pieces = (id: string | undefined) =>
        items.flatMap((item) => (item.type === 'text' && item.message === id ? [item.text] : []));
      const { response } = responseOf(items);
      // Of the messages before the tool call, only the newest is known when it continues.
      const newest = items.slice(0, lastTool).findLast((item) => item.type === 'text')?.message;
      const earlier = items
        .slice(0, lastTool)
        .flatMap((item) => (item.type === 'text' ? [item.message] : []));
      const known = [...new Set(after)].filter((id) => id === newest || !earlier.includes(id));
      const newer = [...new Set(after)].filter((id) => id !== newest);
      const wanted = newer.length > 0 ? newer : [newest];
      for (const id of known.filter((one) => wanted.includes(one)))
        expect(response.split('\n\n')).toContain(pieces(id).join(''));
      expect(response.split('\n\n')).toHaveLength(wanted.length);
    }),
  );
});
