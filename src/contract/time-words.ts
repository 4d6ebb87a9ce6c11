import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time-units';

/** `7 s`, `1 min 12 s`, `2 h 05 min`, `3 d 4 h`: how long something took or has been going on. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown';
  const past = Math.max(0, ms);
  if (past < SECOND_MS) return `${Math.round(past)} ms`;
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)} s`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ${pad((past % MINUTE_MS) / SECOND_MS)} s`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)} h ${pad((past % HOUR_MS) / MINUTE_MS)} min`;
  return `${Math.floor(past / DAY_MS)} d ${Math.floor((past % DAY_MS) / HOUR_MS)} h`;
}

const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `in 12 min`: for what will happen by itself. */
export function until(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'due now';
  if (left < MINUTE_MS) return `in ${Math.ceil(left / SECOND_MS)} s`;
  if (left < HOUR_MS) return `in ${Math.ceil(left / MINUTE_MS)} min`;
  return `in ${duration(left)}`;
}

/** What waits for a provider's limit or for its next attempt says this everywhere, the command line included. */
export const resumeWords = (at: number, now: number): string =>
  at <= now ? 'goes on now' : `goes on ${until(at, now)}`;
