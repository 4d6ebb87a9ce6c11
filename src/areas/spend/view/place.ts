import { formatRoute, hashOf } from '@renderer/client/route';
import { SPEND_DAYS } from '@renderer/limits';
import { type SpendBy, type SpendRow, spendBySchema } from '../contract/procedures';
import { type SpendColumn, type SpendOrder, spendColumns } from '../contract/table';

/** Number of days, including today; 0 means all. */
export const PERIODS = [
  { days: 1, title: 'Today' },
  { days: 7, title: 'Last 7 days' },
  { days: 30, title: 'Last 30 days' },
  { days: 365, title: 'Last 365 days' },
  { days: 0, title: 'All time' },
] as const;

type Query = Readonly<Record<string, string>>;

interface SpendPlace {
  readonly by: SpendBy;
  readonly days: number;
  /** One day, as `2026-11-23`, instead of a period. */
  readonly day: string | null;
  readonly projectId: number | null;
  /** Null: in the order of the core. */
  readonly order: SpendOrder | null;
}

/** Parses the address; invalid parts are ignored. */
export function placeOf({ by, days, day, project, sort, up }: Query): SpendPlace {
  const period = PERIODS.find((one) => String(one.days) === days);
  const column = spendColumns.find((one) => one === sort);
  return {
    by: spendBySchema.catch('day').parse(by),
    days: period?.days ?? SPEND_DAYS,
    day: startOf(day ?? '') === null ? null : (day ?? null),
    projectId: /^[1-9]\d*$/.test(project ?? '') ? Number(project) : null,
    order: column === undefined ? null : { column, descending: up !== '1' },
  };
}

/** When a day begins in the local time zone; null if it is invalid. */
function startOf(day: string, after = 0): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + after).getTime();
}

/** The period, for the core. */
export function timeOf({ day, days }: SpendPlace, now: number): { from: number; before: number | null } {
  const from = startOf(day ?? '');
  if (day !== null && from !== null) return { from, before: startOf(day, 1) };
  if (days === 0) return { from: 0, before: null };
  const today = new Date(now);
  const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
  return { from: Math.max(0, start.getTime()), before: null };
}

/** The query after a press on a column head: the order is reversed if it is already sorted by this column. */
export function sortQuery(order: SpendOrder | null, column: SpendColumn): { sort: string; up: string } {
  const descends = order?.column === column ? !order.descending : column !== 'label';
  return { sort: column, up: descends ? '' : '1' };
}

/** The link of a row; null if it has none. */
export function hashOfRow(by: SpendBy, row: SpendRow, query: Query): string | null {
  const within = (change: Query) =>
    formatRoute({ path: ['spend'], query: { ...query, sort: '', ...change } });
  if (by === 'day') return within({ by: 'run', day: row.key });
  if (by === 'project') return within({ by: 'workflow', project: row.key });
  if (by === 'agent') return row.key === '' ? null : hashOf('agent', row.key);
  if (row.runId !== null) return hashOf('run', row.runId);
  if (row.projectId !== null && row.file !== null) return hashOf('workflow', row.projectId, row.file);
  return null;
}
