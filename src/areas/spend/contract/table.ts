import type { Spend, SpendBudget, SpendBy, SpendRow, SpendTotals } from './procedures';

export const SPEND_TITLES: Readonly<Record<SpendBy, string>> = {
  day: 'Day',
  project: 'Project',
  workflow: 'Workflow',
  run: 'Run',
  agent: 'Agent',
  model: 'Model',
  step: 'Step',
  story: 'Story',
  round: 'Round',
};

export const spendColumns = ['label', 'turns', 'ms', 'tokens', 'costUsd'] as const;
export type SpendColumn = (typeof spendColumns)[number];

export interface SpendOrder {
  readonly column: SpendColumn;
  readonly descending: boolean;
}

/** Sorts the rows. Unreported amounts come last in both directions. */
export function sortedSpend(rows: readonly SpendRow[], { column, descending }: SpendOrder): SpendRow[] {
  const way = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    if (column === 'label') return way * a.label.localeCompare(b.label, 'en', { numeric: true });
    const [one, other] = [a[column], b[column]];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return way * (one - other);
  });
}

type Amounts = Pick<SpendTotals, 'costUsd' | 'costUnreported'>;

/** A cost in words. Only reported amounts are shown as numbers. */
export function costWords({ costUsd, costUnreported }: Amounts, money: (usd: number) => string): string {
  if (costUsd === null) return costUnreported > 0 ? 'not reported' : 'none';
  return costUnreported > 0 ? `${money(costUsd)} + ${costUnreported} not reported` : money(costUsd);
}

/** The share of a budget that the whole run has used; by cost if the budget has one. */
export function budgetUsed({ costUsd, tokens, usedUsd, usedTokens }: SpendBudget): number {
  if (costUsd !== null) return usedUsd / costUsd;
  return tokens === null ? 0 : usedTokens / tokens;
}

/** A budget in words, with the share used. */
export function budgetWords(
  budget: SpendBudget,
  { money, count }: { money: (usd: number) => string; count: (tokens: number) => string },
): string {
  const of = budget.costUsd === null ? `${count(budget.tokens ?? 0)} tokens` : money(budget.costUsd);
  return `${Math.round(budgetUsed(budget) * 100)} % of ${of}`;
}

/**
 * The cost per accepted story or round, including rejected ones; null if none was accepted or no cost is
 * known.
 */
export function costOfAccepted({ pieces, totals }: Pick<Spend, 'pieces' | 'totals'>): number | null {
  if (pieces === null || pieces.accepted === 0 || totals.costUsd === null) return null;
  return totals.costUsd / pieces.accepted;
}

const COLUMNS = ['turns', 'ms', 'tokens', 'tokensUnreported', 'costUsd', 'costUnreported'] as const;
const HEADS = ['turns', 'milliseconds', 'tokens', 'tokens_not_reported', 'cost_usd', 'cost_not_reported'];
const LAST = ['accepted', 'budget_usd', 'budget_tokens'];

/** CSV as in RFC 4180. An unreported amount is an empty cell. */
export function spendCsv(by: SpendBy, rows: readonly SpendRow[]): string {
  const lines = [
    [by, 'belongs_to', ...HEADS, ...LAST],
    ...rows.map((row) => [
      text(row.label),
      text(row.detail ?? ''),
      ...[...COLUMNS.map((column) => row[column]), row.accepted, row.budget?.costUsd, row.budget?.tokens].map(
        (value) => String(value ?? ''),
      ),
    ]),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Escapes text that a spreadsheet would run as a formula. */
function text(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}
