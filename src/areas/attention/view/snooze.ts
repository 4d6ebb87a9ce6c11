import { MINUTE_MS } from '@contract/time-units';

const MORNING = 9;

/** The times offered for a snooze. */
export function snoozeTimes(now: number): { label: string; at: number }[] {
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  tomorrow.setHours(MORNING, 0, 0, 0);
  return [
    { label: 'For 20 minutes', at: now + 20 * MINUTE_MS },
    { label: 'For 1 hour', at: now + 60 * MINUTE_MS },
    { label: 'For 4 hours', at: now + 240 * MINUTE_MS },
    { label: 'Until tomorrow, 9:00', at: tomorrow.getTime() },
  ];
}
