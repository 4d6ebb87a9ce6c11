import { counted, numberIn } from '@contract/counted';
import type { Announced } from '@contract/run/features/feature';
import { TEAM_STEP } from './step-type';

/** How deliveries report on a team. */
export const teamAnnounced: Announced = {
  step: TEAM_STEP,
  noun: 'Team',
  isLoop: false,
  done(receipt) {
    const [members, merged, failed] = ['members', 'merged', 'failed'].map((key) => numberIn(receipt, key));
    if (members == null || merged == null || failed == null) return null;
    return [counted(members, 'member'), `${merged} merged`, `${failed} failed`].join(', ');
  },
};
