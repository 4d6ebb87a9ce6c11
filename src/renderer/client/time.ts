import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@contract/time-units';
import { Cell } from './store';

/** `now`, `12 s ago`, `6 min ago`, `3 h ago`, `2 d ago`, then the date. */
export function ago(at: number, now: number): string {
  const past = now - at;
  if (past < 3 * SECOND_MS) return 'now';
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)} h ago`;
  if (past < 7 * DAY_MS) return `${Math.floor(past / DAY_MS)} d ago`;
  return date(at, now);
}

/** `in 12 min`: for scheduled events. */
export function until(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'due now';
  if (left < MINUTE_MS) return `in ${Math.ceil(left / SECOND_MS)} s`;
  if (left < HOUR_MS) return `in ${Math.ceil(left / MINUTE_MS)} min`;
  return `in ${duration(left)}`;
}

/** `7 s`, `1 min 12 s`, `2 h 05 min`, `3 d 4 h`: a duration. */
export function duration(ms: number): string {
  const past = Math.max(0, ms);
  if (past < SECOND_MS) return `${Math.round(past)} ms`;
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)} s`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ${pad((past % MINUTE_MS) / SECOND_MS)} s`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)} h ${pad((past % HOUR_MS) / MINUTE_MS)} min`;
  return `${Math.floor(past / DAY_MS)} d ${Math.floor((past % DAY_MS) / HOUR_MS)} h`;
}

/** As `duration`, in whole seconds: for running clocks. */
export const elapsed = (ms: number): string => (ms < SECOND_MS ? '0 s' : duration(ms));

const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** As in the `en-GB` locale. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

function date(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const then = new Date(at);
  const day = `${then.getDate()} ${MONTHS[then.getMonth()]}`;
  return sameYear ? day : `${day} ${then.getFullYear()}`;
}

/** Made on first use: the first formatter of a page takes 6 ms, and the feed's first rows need none. */
function formatter(options: Intl.DateTimeFormatOptions): (at: number) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (at) => {
    made ??= new Intl.DateTimeFormat(undefined, options);
    return made.format(at);
  };
}

export const fullTime = formatter({ dateStyle: 'full', timeStyle: 'medium' });
export const clockTime = formatter({ timeStyle: 'short' });

/** Ticks once a second while it has watchers, for all displayed durations. */
export const clock = new Cell(Date.now(), () => {
  clock.set(Date.now());
  const timer = setInterval(() => clock.set(Date.now()), SECOND_MS);
  return () => clearInterval(timer);
});
