import { CHART_DAYS } from '../limits';

/** One day of a chart: its value; null if it is unknown. A day without an entry had no use. */
export interface DayValue {
  /** As `2026-11-23`. */
  readonly day: string;
  readonly value: number | null;
}

export interface DaySeries {
  /** The beginning of each day, in seconds since 1970. */
  readonly times: number[];
  readonly values: (number | null)[];
}

/** The start of a day in the local time zone, in seconds. */
function startOf(day: string): number {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).getTime() / 1000;
}

/** Every day from the first to the last. A missing day had no use: its value is zero, not unknown. */
export function daySeries(given: readonly DayValue[]): DaySeries {
  const byTime = new Map(given.map(({ day, value }) => [startOf(day), value]));
  const known = [...byTime.keys()].sort((a, b) => a - b);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return { times: [], values: [] };
  const times = (last - first) / 86_400 > CHART_DAYS ? known : daysBetween(first, last);
  return { times, values: times.map((time) => (byTime.has(time) ? (byTime.get(time) ?? null) : 0)) };
}

/** Calendar days: not all of them have 24 hours. */
function daysBetween(first: number, last: number): number[] {
  const times: number[] = [];
  const day = new Date(first * 1000);
  while (day.getTime() / 1000 <= last) {
    times.push(day.getTime() / 1000);
    day.setDate(day.getDate() + 1);
  }
  return times;
}

const DAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' });

/** A day for display: `Tue, Nov 24`. */
export const dayName = (day: string): string => DAY.format(startOf(day) * 1000);

/** A chart in words. */
export function inWords(given: readonly DayValue[], format: (value: number) => string): string {
  const known = given.flatMap(({ day, value }) => (value === null ? [] : [{ day, value }]));
  const unknown = given.length - known.length;
  const highest = known.reduce<(typeof known)[number] | null>(
    (most, one) => (most === null || one.value > most.value ? one : most),
    null,
  );
  const parts = [
    highest === null
      ? 'No known amounts'
      : `The highest is ${format(highest.value)} on ${dayName(highest.day)}`,
    ...(unknown === 0 ? [] : [`not reported on ${unknown} ${unknown === 1 ? 'day' : 'days'}`]),
  ];
  return `${parts.join('; ')}.`;
}
