import { Cell } from './store';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `12 s ago`, `6 min ago`, `3 h ago`, `2 d ago`, then the date. */
export function ago(at: number, now: number): string {
  const past = now - at;
  if (past < 3 * SECOND) return 'now';
  if (past < MINUTE) return `${Math.floor(past / SECOND)} s ago`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  if (past < 7 * DAY) return `${Math.floor(past / DAY)} d ago`;
  return date(at, now);
}

/** `in 12 min`: for what will happen by itself. */
export function until(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'due now';
  if (left < MINUTE) return `in ${Math.ceil(left / SECOND)} s`;
  if (left < HOUR) return `in ${Math.ceil(left / MINUTE)} min`;
  return `in ${duration(left)}`;
}

/** `7 s`, `1 min 12 s`, `2 h 05 min`, `3 d 4 h`: how long something took or has been going on. */
export function duration(ms: number): string {
  const past = Math.max(0, ms);
  if (past < SECOND) return `${Math.round(past)} ms`;
  if (past < MINUTE) return `${Math.floor(past / SECOND)} s`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ${pad((past % MINUTE) / SECOND)} s`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ${pad((past % HOUR) / MINUTE)} min`;
  return `${Math.floor(past / DAY)} d ${Math.floor((past % DAY) / HOUR)} h`;
}

/** As `duration`, in whole seconds: for what ticks. */
export const elapsed = (ms: number): string => (ms < SECOND ? '0 s' : duration(ms));

const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');

function date(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat('en-GB', sameYear ? options : { ...options, year: 'numeric' }).format(at);
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
export const fullTime = (at: number): string => FULL.format(at);
export const clockTime = (at: number): string => CLOCK.format(at);

/** Ticks once a second while somebody watches, for everything on screen that shows how long. */
export const clock = new Cell(Date.now(), () => {
  clock.set(Date.now());
  const timer = setInterval(() => clock.set(Date.now()), SECOND);
  return () => clearInterval(timer);
});
