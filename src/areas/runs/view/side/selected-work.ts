import type { CommandState, GateState, RunState, TurnState } from '@contract/run/state';

/** The turn or command at a place in a run. */
export type SelectedWork =
  | { readonly kind: 'turn'; readonly turn: TurnState }
  | { readonly kind: 'command'; readonly command: CommandState };

/**
 * The subject of a row in an address: a turn, a command, or those of a gate or step. Without a row, whatever
 * began last.
 */
export function selectedWork(state: RunState, kind: string, id: string): SelectedWork | null {
  if (kind === 'turn') return turnOf(state, Number(id));
  if (kind === 'command') return commandOf(state, Number(id));
  if (kind === 'gate') return ofGate(state, state.gates[Number(id)]);
  const within = ['activation', 'result', 'timers'].includes(kind) ? Number(id) : null;
  const stepId = kind === 'step' ? id : null;
  return newest(state, ({ activationId }) => {
    if (within !== null) return activationId === within;
    return stepId === null || state.activations[activationId]?.stepId === stepId;
  });
}

function turnOf({ turns }: RunState, id: number): SelectedWork | null {
  const turn = turns[id];
  return turn === undefined ? null : { kind: 'turn', turn };
}

function commandOf({ commands }: RunState, id: number): SelectedWork | null {
  const command = commands[id];
  return command === undefined ? null : { kind: 'command', command };
}

function ofGate(state: RunState, gate: GateState | undefined): SelectedWork | null {
  if (gate === undefined) return null;
  if (gate.turnId !== null) return turnOf(state, gate.turnId);
  if (gate.commandId !== null) return commandOf(state, gate.commandId);
  return newest(state, ({ activationId }) => activationId === gate.activationId);
}

function newest(
  { turns, commands }: RunState,
  fits: (one: { readonly activationId: number }) => boolean,
): SelectedWork | null {
  const turn = Object.values(turns).findLast(fits);
  const command = Object.values(commands).findLast(fits);
  if (turn !== undefined && (command === undefined || turn.startedAt >= command.startedAt))
    return { kind: 'turn', turn };
  return command === undefined ? null : { kind: 'command', command };
}
