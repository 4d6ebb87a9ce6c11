import { changePrompt } from '../change';
import type { Reducers } from '../event-table';
import type { PlatformState } from '../platform-state';
import type { PromptEvent } from './events';

export const promptReducers: Reducers<PlatformState, PromptEvent> = {
  'prompt.queued'(state, { type: _, promptId: id, keyed: __, ...asked }, at) {
    state.last.prompt = Math.max(state.last.prompt, id);
    state.prompts[id] = { ...asked, id, at, status: 'queued', turnId: null, reason: null };
  },
  'prompt.withdrawn'(state, { promptId, reason }) {
    changePrompt(state, promptId, () => ({ status: 'withdrawn', reason }));
  },
};
