import { money } from '@renderer/client/format';
import { elapsed } from '@renderer/client/time';
import { lazy, Suspense, useMemo } from 'react';
import type { SpendRow } from '../contract/procedures';
import styles from './spend.module.css';

const DayChart = lazy(async () => ({ default: (await import('@renderer/charts/day-chart')).DayChart }));

/** Cost and time by day. A single day is not charted. */
export function SpendCharts({ days }: { days: readonly SpendRow[] }) {
  const costs = useMemo(() => days.map(({ key, costUsd }) => ({ day: key, value: costUsd })), [days]);
  const times = useMemo(() => days.map(({ key, ms }) => ({ day: key, value: ms })), [days]);
  if (days.length < 2) return null;
  return (
    <div className={styles.charts}>
      <Suspense>
        <DayChart title="Cost by day" days={costs} format={money} />
        <DayChart title="Time of agents by day" days={times} format={elapsed} />
      </Suspense>
    </div>
  );
}
