import { expect, test } from 'vitest';
import type { SpendRow } from './procedures';
import { budgetWords, costOfAccepted, costWords, sortedSpend, spendCsv } from './table';

const row = (label: string, costUsd: number | null, more: Partial<SpendRow> = {}): SpendRow => ({
  key: label,
  label,
  detail: null,
  runId: null,
  projectId: null,
  file: null,
  accepted: null,
  budget: null,
  turns: 1,
  ms: null,
  tokens: 10,
  costUsd,
  tokensUnreported: 0,
  costUnreported: costUsd === null ? 1 : 0,
  ...more,
});
const money = (usd: number): string => `$${usd.toFixed(2)}`;

test('unreported values stand last in both directions, and a reported zero does not', () => {
  const rows = [row('a', null), row('b', 2), row('c', 0), row('d', 1)];
  const labels = (descending: boolean) =>
    sortedSpend(rows, { column: 'costUsd', descending }).map(({ label }) => label);
  expect(labels(true)).toEqual(['b', 'd', 'c', 'a']);
  expect(labels(false)).toEqual(['c', 'd', 'b', 'a']);
});

test('labels are ordered as a person counts', () => {
  const rows = [row('step 10', 1), row('step 9', 1)];
  expect(sortedSpend(rows, { column: 'label', descending: false })[0]?.label).toBe('step 9');
});

test('a cost that was not reported is never written as a number', () => {
  expect(costWords({ costUsd: null, costUnreported: 2 }, money)).toBe('not reported');
  expect(costWords({ costUsd: 0, costUnreported: 0 }, money)).toBe('$0.00');
  expect(costWords({ costUsd: 1, costUnreported: 2 }, money)).toBe('$1.00 + 2 not reported');
  expect(costWords({ costUsd: null, costUnreported: 0 }, money)).toBe('none');
});

test('a table as CSV quotes what must be quoted, leaves unreported costs empty and disarms formulas', () => {
  const rows = [
    row('plain', 0),
    row('say "a, b"', null, { detail: 'two\nlines' }),
    row('=1+1', 0.5, {
      tokens: null,
      tokensUnreported: 1,
      ms: 90_000,
      accepted: true,
      budget: { costUsd: 2, tokens: null, usedUsd: 0.5, usedTokens: 0 },
    }),
  ];
  expect(spendCsv('run', rows)).toBe(
    [
      'run,belongs_to,turns,milliseconds,tokens,tokens_not_reported,cost_usd,cost_not_reported,accepted,budget_usd,budget_tokens',
      'plain,,1,,10,0,0,0,,,',
      '"say ""a, b""","two\nlines",1,,10,0,,1,,,',
      "'=1+1,,1,90000,,1,0.5,0,true,2,",
      '',
    ].join('\r\n'),
  );
});

test('a budget shows how much of it is used, by cost where it has one', () => {
  const count = (tokens: number): string => String(tokens);
  const used = { usedUsd: 3, usedTokens: 500 };
  expect(budgetWords({ costUsd: 4, tokens: 1_000, ...used }, { money, count })).toBe('75 % of $4.00');
  expect(budgetWords({ costUsd: null, tokens: 1_000, ...used }, { money, count })).toBe(
    '50 % of 1000 tokens',
  );
});

test('an accepted story costs its part of all attempts, and nothing is said where none was accepted', () => {
  const totals = { ...row('', 6), costUnreported: 0 };
  expect(costOfAccepted({ pieces: { all: 3, accepted: 2 }, totals })).toBe(3);
  expect(costOfAccepted({ pieces: { all: 3, accepted: 0 }, totals })).toBeNull();
  expect(costOfAccepted({ pieces: null, totals })).toBeNull();
  expect(costOfAccepted({ pieces: { all: 1, accepted: 1 }, totals: row('', null) })).toBeNull();
});
