import { type Reducers, TOLD_ONLY } from '@contract/run/event-table';
import type { PlatformState } from '@contract/run/platform-state';
import type { UpdateEvent } from './events';

export const updateReducers: Reducers<PlatformState, UpdateEvent> = { 'update.posted': TOLD_ONLY };
