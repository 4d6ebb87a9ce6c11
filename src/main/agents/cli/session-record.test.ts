import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeptTurn, notAmong, readKept, type SeenSince, wayOf } from './session-record';

const typing: KeptTurn = {
  id: 3,
  phase: 'typing',
  printed: 100,
  told: 40,
  enteredAt: null,
  printedAtEnter: null,
  atRest: 0,
  cause: null,
};
const entered: KeptTurn = { ...typing, phase: 'entered', enteredAt: 5, printedAtEnter: 120 };
const seen = (more: Partial<SeenSince>): SeenSince => ({
  turn: null,
  reportedWork: false,
  reportedEnd: false,
  tellsPrompt: false,
  printed: 100,
  exited: false,
  ...more,
});

interface Case {
  readonly what: string;
  readonly facts: Partial<SeenSince>;
  readonly kind: 'unsent' | 'goes_on' | 'cut';
  readonly reason: RegExp | null;
}

describe('a turn whose core ended', () => {
  test.each<Case>([
    { what: 'nothing was typed', facts: {}, kind: 'unsent', reason: null },
    {
      what: 'nothing was typed, and it ended',
      facts: { exited: true },
      kind: 'cut',
      reason: /ended before the prompt was typed/,
    },
    {
      what: 'it was being typed',
      facts: { turn: typing, printed: 115 },
      kind: 'cut',
      reason: /before Enter; it may be/,
    },
    {
      what: 'it was being typed, and the program ended',
      facts: { turn: typing, exited: true },
      kind: 'cut',
      reason: /before Enter$/,
    },
    {
      what: 'it was being typed, and the operator pressed Enter',
      facts: { turn: typing, reportedWork: true },
      kind: 'goes_on',
      reason: null,
    },
    {
      what: 'an end is told that may be an earlier one',
      facts: { turn: typing, reportedEnd: true },
      kind: 'cut',
      reason: /before Enter/,
    },
    {
      what: 'it was entered, and something was printed',
      facts: { turn: entered, printed: 121 },
      kind: 'goes_on',
      reason: null,
    },
    {
      what: 'it was entered, and its end was told',
      facts: { turn: entered, printed: 120, reportedEnd: true },
      kind: 'goes_on',
      reason: null,
    },
    {
      what: 'it was entered, and the program ended',
      facts: { turn: entered, printed: 120, exited: true },
      kind: 'goes_on',
      reason: null,
    },
    {
      what: 'it was entered, without a sign',
      facts: { turn: entered, printed: 120 },
      kind: 'cut',
      reason: /printed nothing since/,
    },
    {
      what: 'without a sign of what would tell',
      facts: { turn: entered, tellsPrompt: true },
      kind: 'goes_on',
      reason: null,
    },
  ])('a turn where $what is handled as $kind', ({ facts, kind, reason }) => {
    const way = wayOf(seen(facts));
    expect(way).toEqual(reason === null ? { kind } : { kind, reason: expect.stringMatching(reason) });
  });

  test('a turn is sent by itself only where nothing was typed, and what was not entered goes on only where it was taken', () => {
    const facts = fc.record<SeenSince>({
      turn: fc.constantFrom(null, typing, entered),
      reportedWork: fc.boolean(),
      reportedEnd: fc.boolean(),
      tellsPrompt: fc.boolean(),
      printed: fc.nat(300),
      exited: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (since) => {
        const { kind } = wayOf(since);
        if (kind === 'unsent') expect(since).toMatchObject({ turn: null, exited: false });
        if (kind === 'goes_on') expect(since.turn?.phase === 'entered' || since.reportedWork).toBe(true);
        if (kind === 'goes_on') expect(since.turn).not.toBe(null);
      }),
    );
  });
});

test('the record beside a program is read whole or not at all', () => {
  const kept = { token: 't', session: null, deaf: false, leftLines: 0, turn: entered };
  expect(readKept(JSON.stringify(kept))).toEqual(kept);
  expect([null, '', '{"token":"t"', '{"token":"t"}'].map(readKept)).toEqual([null, null, null, null]);
});

test('a signal that was reported already is left out, as often as it was reported', () => {
  const text = { type: 'text' as const, text: 'a' };
  const isNew = notAmong([text, text], (said) => said);
  expect([text, text, text, { ...text, text: 'b' }].map(isNew)).toEqual([false, false, true, true]);
});
