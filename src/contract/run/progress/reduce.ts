import { type Reducers, TOLD_ONLY } from '../event-table';
import type { PlatformState } from '../platform-state';
import type { ProgressEvent } from './events';

export const progressReducers: Reducers<PlatformState, ProgressEvent> = {
  'task.agent_task.reprompt_dispatched': TOLD_ONLY,
  'task.agent_task.reprompt_response': TOLD_ONLY,
  'task.coding.agent_reprompt_dispatched': TOLD_ONLY,
  'task.coding.agent_reprompt_response': TOLD_ONLY,
};
