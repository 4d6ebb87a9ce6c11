import { isTime } from '@contract/bounds';

const two = (value: number): string => String(value).padStart(2, '0');

/** In the machine's own time zone. */
export function dayAndTime(at: number): string {
  if (!isTime(at)) return 'unknown time';
  const day = new Date(at);
  const date = [day.getFullYear(), two(day.getMonth() + 1), two(day.getDate())].join('-');
  return `${date} ${clockTime(at)}`;
}

export function clockTime(at: number): string {
  if (!isTime(at)) return '--:--:--';
  const day = new Date(at);
  return [day.getHours(), day.getMinutes(), day.getSeconds()].map(two).join(':');
}

export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown';
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}
