import { changeActivation, changeCommand } from '../change';
import type { Reducers } from '../event-table';
import type { CommandState, PlatformState } from '../platform-state';
import type { CommandEvent } from './events';

export const commandReducers: Reducers<PlatformState, CommandEvent> = {
  'command.started'(state, event, at) {
    const { commandId: id, activationId, workspaceId = null, script, terminal, about } = event;
    state.last.command = Math.max(state.last.command, id);
    const command: CommandState = {
      id,
      activationId,
      workspaceId,
      script,
      terminal,
      status: 'running',
      exitCode: null,
      output: '',
      outputPath: null,
      outputBytes: 0,
      error: null,
      startedAt: at,
      finishedAt: null,
    };
    state.commands[id] = about === undefined ? command : { about, ...command };
    changeActivation(state, activationId, (a) => ({ commandIds: [...a.commandIds, id] }));
  },
  'command.finished'(state, { type: _, commandId, outcome, ...end }, at) {
    changeCommand(state, commandId, () => ({ status: outcome, finishedAt: at, ...end }));
  },
  'command.interrupted'(state, { commandId, workedUntil }, at) {
    changeCommand(state, commandId, ({ startedAt }) => ({
      status: 'interrupted',
      finishedAt: at,
      cutOffAfter: workedUntil ?? Math.max(startedAt, state.before),
    }));
  },
};
