import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCodexEvent } from './events';
import { CodexTally } from './facts';

const factsOf = (...lines: (string | object)[]) => {
  const tally = new CodexTally();
  for (const line of lines) tally.line(typeof line === 'string' ? line : JSON.stringify(line));
  return tally.result();
};
const said = (text: string) => ({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } });
const done = (input: number, output: number) => ({
  type: 'turn.completed',
  usage: { input_tokens: input, cached_input_tokens: 1, output_tokens: output, reasoning_output_tokens: 2 },
});

describe('a log of Codex', () => {
  test('a log of Codex gives the thread, the last message, the clean end, and the last usage, which is a running total', () => {
    const facts = factsOf(
      { type: 'thread.started', thread_id: 'T' },
      { type: 'turn.started' },
      said('first'),
      done(10, 1),
      { type: 'turn.started' },
      said('second'),
      done(30, 4),
    );
    expect(facts).toEqual({
      threadId: 'T',
      terminal: 'completed',
      error: null,
      asked: false,
      usage: { input_tokens: 30, cached_input_tokens: 1, output_tokens: 4, total_tokens: 34, cost_usd: null },
      message: 'second',
      events: 7,
    });
  });

  test('a passing error in a log of Codex is no end, and turn.failed is one', () => {
    expect(factsOf({ type: 'error', message: 'Reconnecting... 1/5' })).toMatchObject({
      terminal: 'none',
      error: null,
    });
    expect(factsOf({ type: 'turn.failed', error: { message: 'quota' } })).toMatchObject({
      terminal: 'failed',
      error: 'quota',
    });
  });

  test('a log of Codex keeps a question to the user', () => {
    expect(factsOf({ type: 'request_user_input', id: '1', questions: [] })).toMatchObject({ asked: true });
  });

  test('a log of Codex keeps the choices of a question', () => {
    const asked = {
      type: 'request_user_input',
      call_id: 'c',
      questions: [
        {
          id: 'db',
          header: 'Database',
          question: 'Which database?',
          options: [{ label: 'Postgres' }, { label: 'SQLite' }],
        },
        { id: 'name', question: 'What is it called?' },
      ],
    };
    expect(factsOf(asked)).toMatchObject({
      asked: true,
      question: 'Which database? (Postgres / SQLite)\nWhat is it called?',
    });
  });

  test('a file that is no log of Codex is not read as one', () => {
    expect(factsOf('{"attempt":1,"item":{"type":"text","text":"x"}}', 'plain text', '')).toBeNull();
  });

  test('a log of Codex keeps unknown events by their name', () => {
    expect(readCodexEvent('{"type":"item.plan.delta","delta":"x"}')).toEqual({
      type: 'other',
      name: 'item.plan.delta',
    });
    expect(readCodexEvent('{"type":"item.completed","item":{"type":"new_thing","x":1}}')).toMatchObject({
      item: { type: 'new_thing', x: 1 },
    });
  });
});

describe('damaged logs of Codex', () => {
  const known = [
    'thread.started',
    'turn.completed',
    'turn.failed',
    'error',
    'item.completed',
    'item.started',
    'request_user_input',
    'x',
  ];
  const event = fc.record({
    type: fc.oneof(fc.constantFrom(...known), fc.jsonValue()),
    item: fc.jsonValue(),
    usage: fc.jsonValue(),
    error: fc.jsonValue(),
    thread_id: fc.jsonValue(),
    message: fc.jsonValue(),
  });

  test('a log of Codex survives random bytes, values of every kind in every field, and lines cut anywhere', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        readCodexEvent(Buffer.from(bytes).toString('utf8'));
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), fc.nat(), (events, cut) => {
        const tally = new CodexTally();
        for (const one of events) {
          const line = JSON.stringify(one);
          tally.line(line);
          tally.line(line.slice(0, cut % (line.length + 1)));
        }
        const facts = tally.result();
        if (facts !== null) expect(['completed', 'failed', 'none']).toContain(facts.terminal);
      }),
    );
  });

  test('a log of Codex keeps the end of a message in a line of a megabyte', () => {
    const text = `${'x'.repeat(2 ** 20)}\nResult: blocked`;
    const message = factsOf(said(text))?.message ?? '';
    expect(message.length).toBeLessThanOrEqual(64 * 1024);
    expect(message.endsWith('Result: blocked')).toBe(true);
  });

  test('a deeply nested log of Codex is read without an exception', () => {
    readCodexEvent(`{"type":"x","item":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    readCodexEvent(
      `{"type":"item.completed","item":{"type":"mcp_tool_call","arguments":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    );
  });
});
