import { defineFeature } from '@contract/run/feature';
import { teamEvents } from './events';
import { LEAD_LANE } from './lanes';
import { teamReducers } from './reduce';
import { teamFollows } from './reduce/follows';
import { teamRests } from './rest';
import { keepsWork } from './status';
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
  /** Of members that failed the operator is asked. */
  resumedLanes: [LEAD_LANE],
});
