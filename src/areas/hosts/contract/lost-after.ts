import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@contract/time-units';
import { z } from 'zod';
import { LOST_AFTER, LOST_AFTER_LONGEST_MS } from './limits';

const FORM = 'a time such as 12h, 30m or 2d, at least 1s and at most 365d';
const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND_MS],
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
]);

/** The milliseconds of a time such as `12h`; null if it is none. */
function milliseconds(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,8})([smhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS.get(unit) ?? 0);
  return ms > 0 && ms <= LOST_AFTER_LONGEST_MS ? ms : null;
}

export const lostAfterSchema = z.string(FORM).refine((text) => milliseconds(text) !== null, FORM);

/** How long a host may be out of reach before the operator is asked. */
export const lostAfterMs = (lostAfter: string | undefined): number =>
  milliseconds(lostAfter ?? LOST_AFTER) ?? LOST_AFTER_LONGEST_MS;
