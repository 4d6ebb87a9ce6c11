import { dayName } from '@renderer/charts/series';
import { count, money } from '@renderer/client/format';
import { elapsed } from '@renderer/client/time';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import type { Spend, SpendBudget, SpendBy, SpendTotals } from '../contract/procedures';
import {
  budgetUsed,
  budgetWords,
  costWords,
  SPEND_TITLES,
  type SpendColumn,
  type SpendOrder,
  sortedSpend,
} from '../contract/table';
import { hashOfRow } from './place';
import styles from './spend.module.css';

interface SpendTableProps {
  readonly by: SpendBy;
  readonly spend: Spend;
  readonly order: SpendOrder | null;
  readonly query: Readonly<Record<string, string>>;
  readonly onSort: (column: SpendColumn) => void;
}

const NUMBERS: readonly { readonly column: SpendColumn; readonly title: string }[] = [
  { column: 'turns', title: 'Turns' },
  { column: 'ms', title: 'Time' },
  { column: 'tokens', title: 'Tokens' },
  { column: 'costUsd', title: 'Cost' },
];

/** The parent of a row, if it is not the project. */
const DETAILS: Partial<Record<SpendBy, string>> = { step: 'Workflow', story: 'Loop', round: 'Team' };

export function SpendTable({ by, spend, order, query, onSort }: SpendTableProps) {
  const rows = order === null ? spend.rows : sortedSpend(spend.rows, order);
  const detailed = rows.some(({ detail }) => detail !== null);
  const budgeted = rows.some(({ budget }) => budget !== null);
  const isPieces = spend.pieces !== null;
  const head = (column: SpendColumn, title: string) => (
    <th
      key={column}
      scope="col"
      aria-sort={order?.column === column ? (order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(column)}>
        {title}
        <span aria-hidden>{order?.column === column ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
  return (
    <table className={styles.table}>
      <caption className="hidden-text">Spend by {SPEND_TITLES[by].toLowerCase()}</caption>
      <thead>
        <tr>
          {head('label', SPEND_TITLES[by])}
          {detailed && <th scope="col">{DETAILS[by] ?? 'Project'}</th>}
          {isPieces && <th scope="col">Accepted</th>}
          {budgeted && <th scope="col">Budget</th>}
          {NUMBERS.map(({ column, title }) => head(column, title))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const to = hashOfRow(by, row, query);
          const label = by === 'day' ? dayName(row.key) : inPlainSight(row.label);
          return (
            <tr key={row.key}>
              <th scope="row">{to === null ? label : <a href={to}>{label}</a>}</th>
              {detailed && <td className="quiet">{inPlainSight(row.detail ?? '')}</td>}
              {isPieces && <td>{row.accepted ? 'Accepted' : <span className="quiet">Not yet</span>}</td>}
              {budgeted && <td>{row.budget && <Budget of={row.budget} />}</td>}
              <Amounts of={row} />
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{spend.more ? 'Total, including rows that are not shown' : 'Total'}</th>
          {detailed && <td />}
          {isPieces && <td />}
          {budgeted && <td />}
          <Amounts of={spend.totals} />
        </tr>
      </tfoot>
    </table>
  );
}

/** The bar is full at the budget; a text says how far the run exceeded it. */
function Budget({ of }: { of: SpendBudget }) {
  const used = budgetUsed(of);
  return (
    <span className={styles.budget}>
      <meter className={styles.meter} min={0} max={1} value={Math.min(1, used)} aria-hidden />
      {budgetWords(of, { money, count })}
      {used > 1 && ', over budget'}
    </span>
  );
}

function Amounts({ of }: { of: SpendTotals }) {
  const tokens = of.tokens === null ? 'not reported' : count(of.tokens);
  return (
    <>
      <td className={styles.number}>{of.turns}</td>
      <td className={styles.number}>{of.ms === null ? '' : elapsed(of.ms)}</td>
      <td className={`${styles.number} ${of.tokens === null ? 'quiet' : ''}`}>{tokens}</td>
      <td className={`${styles.number} ${of.costUsd === null ? 'quiet' : ''}`}>{costWords(of, money)}</td>
    </>
  );
}
