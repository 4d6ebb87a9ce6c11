import { useEffect, useMemo, useRef, useState } from 'react';
import styles from './day-chart.module.css';
import { DayPlot } from './day-plot';
import { type DayValue, daySeries, inWords } from './series';

interface DayChartProps {
  readonly title: string;
  readonly days: readonly DayValue[];
  readonly format: (value: number) => string;
}

const DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });

/** A bar chart by day. A text describes it for screen readers; the numbers are in the table by day. */
export function DayChart({ title, days, format }: DayChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const series = useMemo(() => daySeries(days), [days]);
  useEffect(() => {
    if (host.current === null) return;
    const plot = new DayPlot({ host: host.current, series, format, pointed: setPointed });
    return () => plot.end();
  }, [series, format]);
  const words = inWords(days, format);
  return (
    <figure className={styles.chart} data-part="chart">
      <figcaption>
        {title}{' '}
        <span className="quiet">{pointed === null ? words : pointedWords(series, pointed, format)}</span>
      </figcaption>
      <div ref={host} className={styles.plot} role="img" aria-label={`${title}: ${words}`} />
    </figure>
  );
}

function pointedWords(
  { times, values }: ReturnType<typeof daySeries>,
  index: number,
  format: (value: number) => string,
): string {
  const [time, value] = [times[index], values[index]];
  if (time === undefined) return '';
  const amount = value === null || value === undefined ? 'not reported' : format(value);
  return `${DATE.format(time * 1000)}: ${amount}`;
}
