import { unreachable } from '../../result';
import type { RunEvent } from '../events';
import type { RunState } from '../state';
import { changeActivation, changeCommand } from './change';

export function applyCommand(
  state: RunState,
  event: Extract<RunEvent, { type: `command.${string}` }>,
  at: number,
): void {
  const id = event.commandId;
  switch (event.type) {
    case 'command.started':
      state.last.command = Math.max(state.last.command, id);
      state.commands[id] = {
        id,
        activationId: event.activationId,
        workspaceId: event.workspaceId ?? null,
        script: event.script,
        ...(event.about === undefined ? {} : { about: event.about }),
        terminal: event.terminal,
        status: 'running',
        exitCode: null,
        output: '',
        outputPath: null,
        outputBytes: 0,
        truncated: false,
        error: null,
        startedAt: at,
        finishedAt: null,
      };
      changeActivation(state, event.activationId, (a) => ({ commandIds: [...a.commandIds, id] }));
      return;
    case 'command.finished': {
      const { type: _, commandId: __, outcome, ...end } = event;
      changeCommand(state, id, () => ({ ...end, status: outcome, finishedAt: at }));
      return;
    }
    case 'command.interrupted':
      changeCommand(state, id, ({ startedAt }) => ({
        status: 'interrupted',
        finishedAt: at,
        cutOffAfter: event.workedUntil ?? Math.max(startedAt, state.before),
      }));
      return;
    default:
      return unreachable(event);
  }
}
