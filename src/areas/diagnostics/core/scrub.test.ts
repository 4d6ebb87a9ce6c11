import { expect, test } from 'vitest';
import { sharedLine } from './log-lines';
import { nameMask, scrub } from './scrub';

test('what the program itself says stays readable', () => {
  const said = 'the core ended (signal 11) after 250 ms: store.locked, ENOSPC, exit code 134, 45.4.1 at 7 %';
  expect(scrub(said)).toBe(said.replace('7 %', '7 ***'));
  expect(scrub('SqliteError: SQLITE_BUSY')).toBe('SqliteError: SQLITE_BUSY');
});

test('a stack keeps the places in the code, and no folder', () => {
  const stack =
    'Error: it failed\n    at Engine.tell (/home/ada/app/out/main/core.cjs:12:34)\n    at file:///home/ada/x/index.js:1:2';
  expect(scrub(stack)).toBe('Error: it failed\n    at Engine.tell (core.cjs:12:34)\n    at (index.js:1:2)');
});

test.each([
  'cannot read /home/ada/clients/acme/plan.md',
  'cannot read C:\\Users\\ada\\acme',
  'cannot read ~/acme',
  'asked https://ada:pw@acme.example/x?token=abc',
  'mail to ada@acme.example',
  'set ACME_TOKEN=abc',
  'said "acme wins"',
  "said 'acme wins'",
  'said “acme wins”',
  'host acme.internal',
  'the number 4111111111111111',
  'password: acme',
  'Authorization: Bearer acme',
  'user ada',
])('%s loses its content', (text) => {
  expect(scrub(text)).not.toMatch(/acme|ada\b|4111/);
});

test('a name is masked as a word, in any case, and not inside of other words', () => {
  const mask = nameMask(['Acme', 'Acme Corp', 'ab']);
  expect(mask('acme, ACME CORP and acmeist, ab')).toBe('***, *** and acmeist, ab');
});

test('a line of a log keeps its time, level, message, numbers and cause, and nothing else', () => {
  const line = JSON.stringify({
    at: '2026-11-29T06:00:00.000Z',
    level: 'warn',
    message: 'a procedure threw',
    runId: 7,
    long: 12_345_678_901,
    prompt: 'Write it',
    deep: { text: 'x' },
    'acme key': 1,
    cause: 'Error: /home/ada is full',
  });
  expect(JSON.parse(sharedLine(line, (text) => text) ?? '')).toEqual({
    at: '2026-11-29T06:00:00.000Z',
    level: 'warn',
    message: 'a procedure threw',
    runId: 7,
    cause: 'Error: *** is full',
  });
  expect(sharedLine('torn {', (text) => text)).toBeNull();
});
