import { createClock } from '../../../adapters/system/clock';
import type { Clock } from '../../../core/ports/ports';

/** The pauses before a request is made again take a twentieth here; all other times are as they are. */
export function hurriedClock(): Clock {
  const clock = createClock();
  const isPause = (ms: number) => [1000, 4000, 15_000].some((pause) => Math.abs(pause - ms) < 20);
  const at: Clock['at'] = (time, alarm) => {
    const ms = time - clock.now();
    return clock.at(isPause(ms) ? time - ms * 0.95 : time, alarm);
  };
  return { ...clock, at };
}
