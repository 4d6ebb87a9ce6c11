import {
  type ActivationState,
  type GateState,
  type RunState,
  type RunStatus,
  runStatus,
} from '@contract/run/state';
import { turnTitle } from '@contract/run/turn-title';
import { type Tally, tallyOf } from './tally';

export interface Summary {
  readonly status: RunStatus;
  readonly stepsDone: number;
  readonly openGates: number;
  readonly now: string | null;
}

interface Doing {
  readonly stepId: string;
  readonly waits: boolean;
  readonly what: string;
}

/** What a list shows of a run. It is made at each commit, so it looks at what runs and counts the rest. */
export function summarise(state: RunState, { done, running }: Tally = tallyOf(state)): Summary {
  let shown: Doing | null = null;
  for (const stepId of running) {
    if (shown !== null && !shown.waits) break;
    const activation = state.activations[state.steps[stepId]?.activationIds.at(-1) ?? 0];
    if (activation !== undefined) shown = clearer(shown, doing(state, activation));
  }
  return {
    status: runStatus(state),
    stepsDone: done.size,
    openGates: openGates(state),
    now: nowOf(state, shown, running.size),
  };
}

/** What works goes before what waits. */
const clearer = (shown: Doing | null, next: Doing): Doing => (shown === null || !next.waits ? next : shown);

function openGates(state: RunState): number {
  let open = 0;
  for (const id in state.gates) if (state.gates[id]?.status === 'open') open++;
  return open;
}

/** "review: Re-prompt 2/3", and how many more activations are under way. */
function nowOf(state: RunState, shown: Doing | null, running: number): string | null {
  if (state.status === 'finished') return null;
  if (shown === null) return state.workspaceStatus === 'requested' ? 'Preparing the workspace' : null;
  return `${shown.stepId}: ${shown.what}${running > 1 ? ` (+${running - 1})` : ''}`;
}

function doing(state: RunState, activation: ActivationState): Doing {
  const { stepId } = activation;
  const gate = openGate(state, activation);
  return gate === null
    ? { stepId, waits: false, what: workOf(state, activation) }
    : { stepId, waits: true, what: `Waiting: ${gate.title}` };
}

function openGate(state: RunState, activation: ActivationState): GateState | null {
  for (const id of activation.gateIds) {
    const gate = state.gates[id];
    if (gate?.status === 'open') return gate;
  }
  return null;
}

function workOf(state: RunState, activation: ActivationState): string {
  const turn = state.turns[activation.turnIds.at(-1) ?? 0];
  if (turn?.status === 'in_flight') return turnTitle(turn);
  const command = state.commands[activation.commandIds.at(-1) ?? 0];
  if (command?.status === 'running') return 'Command';
  const session = state.sessions[activation.sessionIds.at(-1) ?? 0];
  if (session?.status === 'starting') return 'Starting the agent';
  if (session?.status === 'resuming') return 'Resuming the session';
  return 'Working';
}
