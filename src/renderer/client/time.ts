import { isTime } from '@contract/bounds';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@contract/time-units';
import { duration } from '@contract/time-words';
import { Cell } from './store';

const UNKNOWN_TIME = 'at an unknown time';

/** `just now`, `12 s ago`, `6 min ago`, `3 h ago`, `2 d ago`, then the date. */
export function ago(at: number, now: number): string {
  if (!isTime(at)) return UNKNOWN_TIME;
  const past = now - at;
  if (past < 3 * SECOND_MS) return 'just now';
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)} h ago`;
  if (past < 7 * DAY_MS) return `${Math.floor(past / DAY_MS)} d ago`;
  return date(at, now);
}

/** As `duration`, in whole seconds: for running clocks. */
export const elapsed = (ms: number): string => (ms < SECOND_MS ? '0 s' : duration(ms));

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
    if (!isTime(at)) return UNKNOWN_TIME;
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
