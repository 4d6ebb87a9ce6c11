import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changePrompt } from './change';

export function applyPrompt(
  state: RunState,
  event: Extract<RunEvent, { type: `prompt.${string}` }>,
  at: number,
): void {
  const id = event.promptId;
  switch (event.type) {
    case 'prompt.queued': {
      const { type: _, promptId: __, keyed: ___, ...asked } = event;
      state.last.prompt = Math.max(state.last.prompt, id);
      state.prompts[id] = { ...asked, id, at, status: 'queued', turnId: null, reason: null };
      return;
    }
    case 'prompt.withdrawn':
      changePrompt(state, id, () => ({ status: 'withdrawn', reason: event.reason }));
      return;
    default:
      return unreachable(event);
  }
}
