import { counted, numberIn } from '@contract/counted';
import type { Announced } from '@contract/run/features/feature';
import { LOOP_STEP } from './step-type';

/** How deliveries report on a loop. */
export const loopAnnounced: Announced = {
  step: LOOP_STEP,
  noun: 'Loop',
  isLoop: true,
  done(receipt) {
    const [done, all, iterations] = ['stories_passing', 'stories', 'iterations'].map((key) =>
      numberIn(receipt, key),
    );
    if (done == null || all == null || iterations == null) return null;
    const stories = all === 0 ? '' : `${done} of ${counted(all, 'story', 'stories')} done after `;
    return `${stories}${counted(iterations, 'iteration')}`;
  },
};
