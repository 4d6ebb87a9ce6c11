import type { Clock } from '@main/core/ports/ports';

/** The result of `work`, or `late` if it takes longer than `ms`. The work itself continues. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + ms, () => resolve('late'));
    work.then(resolve, reject).finally(cancel);
  });
}
