import { defineFeature } from '@contract/run/features/feature';
import { teamAnnounced } from './announced';
import { LEAD, teamEvents } from './events';
import { teamKey } from './keys';
import { LEAD_LANE, memberLane } from './lanes/lanes';
import { stoppedLanes } from './lanes/stopped-lanes';
import { triedMerge } from './merges/tried-merge';
import { SNAPSHOT_MESSAGES, withLastMessages } from './messages/thread';
import { roundIn, roundOfTurn } from './pieces';
import { teamAwaits, teamStanding } from './quiescence/idle-summary';
import { teamRests } from './quiescence/quiescence';
import { teamReducers } from './reduce';
import { teamFollows } from './reduce/follows';
import { teamRequester } from './requester';
import { isPlanning, keepsWork, memberAwaits, parksMember } from './status';

/** The contract of teams. */
export const teamFeature = defineFeature({
  slice: 'teams',
  events: teamEvents,
  reducers: teamReducers,
  follows: teamFollows,
  copied: (team) => ({
    ...team,
    members: { ...team.members },
    messages: { ...team.messages },
    tasks: { ...team.tasks },
    merges: { ...team.merges },
    last: { ...team.last },
  }),
  works: keepsWork,
  rests: teamRests,
  awaits: teamAwaits,
  awaitsIn: memberAwaits,
  stoppedLanes,
  readingLanes: ({ members }) =>
    Object.values(members).flatMap((member) =>
      member.readOnly || isPlanning(member) ? [memberLane(member.name)] : [],
    ),
  requesterOf: teamRequester,
  askerTitles: { [LEAD]: 'Lead' },
  /** For failed members the operator is asked instead. */
  resumedLanes: [LEAD_LANE],
  parksMidStep: true,
  triedMerge,
  bringsAbout: (team, purpose) => (teamKey.read(purpose) === null ? null : parksMember(team, purpose)),
  standing: teamStanding,
  atFirstLook: withLastMessages,
  history: { step: teamAnnounced.step, event: 'team.message', keep: SNAPSHOT_MESSAGES },
  announced: teamAnnounced,
  pieceOf: roundOfTurn,
  pieceIn: roundIn,
});
