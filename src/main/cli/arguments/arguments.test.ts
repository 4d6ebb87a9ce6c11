import { expect, test } from 'vitest';
import { commands } from '../commands';
import { parseInvocation } from './arguments';

const parse = (line: string) =>
  parseInvocation(
    line.split(' ').filter((word) => word !== ''),
    commands,
  );
const good = (line: string) => {
  const parsed = parse(line);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const { command, words, flags, json, places, help, version } = parsed.value;
  return { name: command?.name, words, flags, json, places, help, version };
};

test('flags stand before or after the command and its words', () => {
  const wanted = { name: 'list', words: [], json: true, places: { dataDir: '/d' } };
  for (const line of [
    'list --json --data-dir /d',
    '--json --data-dir /d list',
    '--data-dir=/d list --json',
  ]) {
    expect(good(line)).toMatchObject(wanted);
  }
  expect(good('--db list list')).toMatchObject({ name: 'list', places: { db: 'list' } });
});

test('flags that are not given have a value all the same', () => {
  expect(good('run w.yaml').flags).toMatchObject({
    attach: [],
    detach: false,
    'no-wait': false,
    instruction: undefined,
  });
  expect(good('run w.yaml --attach a --attach b --instruction - --detach').flags).toMatchObject({
    attach: ['a', 'b'],
    instruction: '-',
    detach: true,
  });
});

test('an unknown argument is named in the error', () => {
  const wrong: [string, RegExp][] = [
    ['lst', /no command "lst"/],
    ['list --stat x', /--stat/],
    ['list -x', /-x/],
    ['list --status', /--status/],
    ['list extra', /"extra" is not expected/],
    ['show', /show needs RUN/],
    ['export 1', /export needs RUN FILE/],
    ['list --json=yes', /--json/],
    ['reject 1 --reason', /--reason/],
  ];
  for (const [line, message] of wrong) {
    const parsed = parse(line);
    expect([line, parsed.ok]).toEqual([line, false]);
    if (!parsed.ok)
      expect(parsed.error).toMatchObject({ code: 'input.invalid', message: expect.stringMatching(message) });
  }
});

test('help is given also where words are missing', () => {
  expect(good('show --help')).toMatchObject({ name: 'show', help: true });
  expect(good('--version')).toMatchObject({ name: undefined, version: true });
});

test('the error for a value that begins with a dash says how to write it', () => {
  const parsed = parseInvocation(['reject', '1', '--reason', '- Not yet.'], commands);
  expect(parsed).toMatchObject({
    ok: false,
    error: {
      message: 'the value of --reason begins with a dash',
      mend: expect.stringContaining('--reason="'),
    },
  });
  expect(parseInvocation(['reject', '1', '--reason=- Not yet.'], commands)).toMatchObject({
    value: { flags: { reason: '- Not yet.' } },
  });
});

test.each([['--data-dir', ''], ['--data-dir='], ['--db', ' ']])(
  'an empty place (%j) is refused and never means the default',
  (...flag) => {
    expect(parseInvocation(['list', ...flag], commands)).toMatchObject({
      ok: false,
      error: {
        code: 'input.invalid',
        message: expect.stringMatching(/^--(data-dir|db) needs a (folder|file)/),
      },
    });
  },
);
