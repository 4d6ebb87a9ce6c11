import { defineFeature } from '@contract/run/feature';
import { teamAsker } from './asker';
import { LEAD, teamEvents } from './events';
import { LEAD_LANE, memberLane } from './lanes';
import { teamReducers } from './reduce';
import { teamFollows } from './reduce/follows';
import { teamRests } from './rest';
import { isPlanning, keepsWork } from './status';
import { stoppedLanes } from './stopped-lanes';

/** Teams, as the contract of runs knows them. */
export const teamFeature = defineFeature({
  slice: 'teams',
  events: teamEvents,
  reducers: teamReducers,
  follows: teamFollows,
  works: keepsWork,
  rests: teamRests,
  stoppedLanes,
  readingLanes: ({ members }) =>
    Object.values(members).flatMap((member) =>
      member.readOnly || isPlanning(member) ? [memberLane(member.name)] : [],
    ),
  askerOf: teamAsker,
  askerTitles: { [LEAD]: 'Lead' },
  /** Of members that failed the operator is asked. */
  resumedLanes: [LEAD_LANE],
});
