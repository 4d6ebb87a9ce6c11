import type { Reducers } from '@contract/run/event-table';
import type { TeamEvent } from '../events';
import type { Teams } from './change';
import { memberReducers } from './members';
import { messageReducers } from './messages';
import { mergeReducers, taskReducers } from './work';

export const teamReducers: Reducers<Teams, TeamEvent> = {
  ...memberReducers,
  ...messageReducers,
  ...taskReducers,
  ...mergeReducers,
};
