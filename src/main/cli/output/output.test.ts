import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { expect, test } from 'vitest';
import { answered, finished, gate, started, working } from '../testing/story';
import { columns } from './columns';
import { gateLines } from './gate-lines';
import { Output } from './output';
import { eventLines } from './run-lines';
import { shellWord } from './shell-word';
import { styleFor } from './style';
import { duration } from './time';

const plain = styleFor({ isTTY: false }, {});

test('output has colours only at a terminal that has them and whose owner wants them', () => {
  expect(styleFor({ isTTY: true }, {}).good('x')).toBe('\u001b[32mx\u001b[39m');
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).good('x')).toBe('x');
  expect(styleFor({ isTTY: true }, { TERM: 'dumb' }).good('x')).toBe('x');
  expect(plain.good('x')).toBe('x');
});

test('columns are aligned by their visible width, and cut at the edge', () => {
  const { bad } = styleFor({ isTTY: true }, {});
  expect(
    columns([
      ['a', bad('b'), 'c'],
      ['long', 'x', 'ccc'],
    ]).map((line) => line.indexOf('c') > 0),
  ).toEqual([true, true]);
  expect(
    columns([
      ['a', 'bb'],
      ['ccc', 'd'],
    ]),
  ).toEqual(['a    bb', 'ccc  d']);
  expect(columns([['a', 'bbbbbb']], { width: 6 })).toEqual(['a  bb…']);
});

test('words are quoted for a shell, and times are written for a person', () => {
  expect(['a/b.c', 'a b', "it's", ''].map(shellWord)).toEqual(['a/b.c', "'a b'", "'it'\\''s'", "''"]);
  // Cut, as the window cuts it.
  expect([400, 43_900, 61_000, 3_660_000].map(duration)).toEqual(['0 s', '43 s', '1 min 01 s', '1 h 01 min']);
});

test('a run is printed line by line, a gate with its commands, an update as it stands', () => {
  const update: RunEvent = {
    type: 'update.posted',
    activationId: 1,
    turnId: null,
    stepId: 'ok',
    update: {
      iteration: 1,
      of: 1,
      retry: 0,
      story: null,
      storySource: 'none',
      result: 'completed',
      commit: null,
      summary: ['Done'],
    },
    text: 'Iteration 1/1\nStory: unknown\nResult: completed\nCommit: none\nSummary: Done',
  };
  const lines: string[] = [];
  let state: RunState | null = null;
  for (const [index, event] of [
    started,
    working,
    gate,
    answered,
    update,
    ...finished('succeeded'),
  ].entries()) {
    const stored = { id: index + 1, runId: 7, seq: index + 1, at: 0, event };
    state = reduce(state, stored);
    lines.push(...eventLines(stored, state, { style: plain, again: (...words) => words.join(' ') }));
  }
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'AT'))).toEqual([
    'AT  run             notes started as run 7, 1 step',
    'AT  ok              started',
    'AT  ok              waits for you',
    '          Gate 7/1  Fine?',
    '            Look at it.',
    '            | One',
    '            | Two',
    '            Approve',
    '              approve 7/1',
    '            Reject',
    '              reject 7/1 --reason TEXT',
    '            Later',
    '              approve 7/1 --option later',
    'AT  ok              Fine?: Approve, says test',
    'AT  ok              update',
    '          Iteration 1/1',
    '          Story: unknown',
    '          Result: completed',
    '          Commit: none',
    '          Summary: Done',
    'AT  ok              succeeded',
    'AT  run             succeeded',
  ]);
});

test('text of agents is shown, and not obeyed by the terminal that it reaches at once or through a pipe', () => {
  const said: string[] = [];
  const out = { write: (text: string) => said.push(text), isTTY: true };
  const output = new Output({ out, err: out, env: {} }, false);
  const hidden = 'rm -rf ~\r\u001b[2K\u001b[1Anpm test\u202e\u009b2J';
  output.document({}, () => [`${output.style.bad('asks')}: ${hidden}`]);
  output.note(hidden);
  const shown = 'rm -rf ~\u240d\u241b[2K\u241b[1Anpm test\ufffd\ufffd2J\n';
  expect(said).toEqual([`\u001b[31masks\u001b[39m: ${shown}`, shown]);
  const piped = { write: (text: string) => said.push(text) };
  new Output({ out: piped, err: piped, env: {} }, false).document({}, () => [hidden]);
  expect(said.at(-1)).toBe(shown);
});

test('JSON at a terminal holds nothing that it obeys, and says the same', () => {
  const said: string[] = [];
  const out = { write: (text: string) => said.push(text), isTTY: true };
  const value = { title: 'a\u001b[2Jb\u009b2Jc\u202ed' };
  new Output({ out, err: out, env: {} }, true).record(value, () => []);
  expect(said).toEqual(['{"title":"a\\u001b[2Jb\\u009b2Jc\\u202ed"}\n']);
  expect(JSON.parse(said[0] ?? '')).toEqual(value);
});

test('the name of a run is one line of at most 120 characters', () => {
  const event = { ...started, name: `long\nRun 2  ${'x'.repeat(100_000)}` } as RunEvent;
  const stored = { id: 1, runId: 1, seq: 1, at: 0, event };
  const lines = eventLines(stored, reduce(null, stored), { style: plain, again: () => '' });
  expect(lines).toEqual([
    expect.stringContaining(`  long Run 2 ${'x'.repeat(108)}… started as run 1, 1 step`),
  ]);
});

test('a text with line breaks is indented below its event, so that it cannot look like another one', () => {
  const reason = 'no\n00:00:00  run             succeeded';
  const told = [
    started,
    working,
    gate,
    { ...answered, answer: { option: 'reject', reason } } as RunEvent,
  ].reduce<{ state: RunState | null; lines: string[] }>(
    ({ state }, event, index) => {
      const stored = { id: index + 1, runId: 1, seq: index + 1, at: 0, event };
      const next = reduce(state, stored);
      return { state: next, lines: eventLines(stored, next, { style: plain, again: () => '' }) };
    },
    { state: null, lines: [] },
  );
  expect(told.lines).toEqual([
    expect.stringMatching(/ {2}ok +Fine\?: Reject, says test: no$/),
    '          00:00:00  run             succeeded',
  ]);
});

test('the name of a question is one line, whatever an agent calls it', () => {
  const asked = { ...(gate.type === 'gate.opened' ? gate : undefined), runId: 1, gateId: 1 };
  const lines = gateLines(
    { ...asked, title: 'Read a file\nGate 1/2  Harmless' } as Parameters<typeof gateLines>[0],
    (...words) => words.join(' '),
  );
  expect(lines[0]).toBe('Gate 1/1  Read a file Gate 1/2  Harmless');
});

test('a gate shows what would be written, what each answer does, and asks for a text by its own command', () => {
  const asked = { ...(gate.type === 'gate.opened' ? gate : undefined), runId: 1, gateId: 2 };
  const shown = {
    ...asked,
    evidence: null,
    request: {
      tool: 'edit',
      title: 'Edit',
      kind: 'edit',
      diffs: [{ path: 'a.txt', oldText: 'one\n', newText: 'two\n' }],
      cwd: '/elsewhere',
      folder: '/work',
      own_checkout: true,
      hash: 'h',
    },
    options: [
      { id: 'approve', label: 'Send answer', effect: 'It goes on.', tone: 'approve', needs: 'text' },
      { id: 'decline', label: 'Not now', effect: 'It stays.', tone: 'reject' },
      { id: 'revise', label: 'Revise', effect: 'It is made again.', tone: 'neutral', needs: 'reason' },
    ],
  };
  const lines = gateLines(shown as Parameters<typeof gateLines>[0], (...words) => words.join(' '));
  expect(lines.slice(2)).toEqual([
    '  In /elsewhere',
    '  This would happen in your own checkout.',
    '  | --- a.txt',
    '  | +++ a.txt',
    '  | @@ -1,1 +1,1 @@',
    '  | -one',
    '  | +two',
    '  Send answer: It goes on.',
    '    answer 1/2 TEXT',
    '  Not now: It stays.',
    '    reject 1/2',
    '  Revise: It is made again.',
    '    reject 1/2 --option revise --reason TEXT',
  ]);
});
