import { defineFeature } from '@contract/run/features/feature';
import { teamAnnounced } from './announced';
import { teamEvents } from './events';
import { teamKey } from './keys';
import { teamLane } from './lane-facts';
import { triedMerge } from './merges/tried-merge';
import { SNAPSHOT_MESSAGES, withLastMessages } from './messages/thread';
import { roundIn, roundOfTurn } from './pieces';
import { teamProgress } from './quiescence/progress';
import { teamReducers } from './reduce';
import { teamFollows } from './reduce/follows';
import { parksMember } from './status';

/** The contract of teams. */
export const teamFeature = defineFeature({
  slice: 'teams',
  events: teamEvents,
  reducers: teamReducers,
  follows: teamFollows,
  maps: ['members', 'messages', 'tasks', 'merges', 'last'],
  progress: teamProgress,
  lane: teamLane,
  triedMerge,
  bringsAbout: (team, purpose) => (teamKey.read(purpose) === null ? null : parksMember(team, purpose)),
  firstView: {
    reduced: withLastMessages,
    history: { step: teamAnnounced.step, event: 'team.message', keep: SNAPSHOT_MESSAGES },
  },
  announced: teamAnnounced,
  pieceOf: roundOfTurn,
  pieceIn: roundIn,
});
