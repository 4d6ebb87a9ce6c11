import { plainLine } from '@areas/feed/contract/plain-line';
import { counted } from '@contract/counted';
import { ownValue } from '@contract/own';
import { featureProgress } from '@contract/run/features/feature-answers';
import { stepDefinition, stepTitle } from '@contract/run/scope/path';
import type { ActivationState, GateState, RunState, RunStatus, TurnState } from '@contract/run/state';
import { activationWorks, runStatus, waitsForLimit } from '@contract/run/status';
import { turnTitle } from '@contract/run/turn/turn-title';
import { type Tally, tallyOf } from './step-counts';

interface Summary {
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

/**
 * What a list shows of a run. Computed at each commit, so it examines only running steps and uses counts for
 * the rest.
 */
export function summarise(state: RunState, { done, running, open }: Tally = tallyOf(state)): Summary {
  let shown: Doing | null = null;
  let owner: Doing | null = null;
  let around = 0;
  for (const stepId of running) {
    const activation = state.activations[ownValue(state.steps, stepId)?.activationIds.at(-1) ?? 0];
    if (activation === undefined) continue;
    // A step with open scopes is represented by the steps in them.
    if ((activation.scopes?.open ?? 0) > 0) {
      around += 1;
      owner ??= { stepId, waits: false, what: 'Working' };
    } else if (shown === null || shown.waits) shown = clearer(shown, doing(state, activation));
  }
  const status = runStatus(state, open);
  return {
    status,
    stepsDone: done.size,
    openGates: open.gates.length,
    now: status === 'failed' ? openQuestion(state) : nowOf(state, shown ?? owner, running.size - around),
  };
}

/** Working steps come before waiting ones. */
const clearer = (shown: Doing | null, next: Doing): Doing => (shown === null || !next.waits ? next : shown);

/** What a failed run still asks. */
function openQuestion({ status, gates }: RunState): string | null {
  if (status === 'finished') return null;
  for (const id in gates) {
    const gate = gates[id];
    if (gate?.status === 'open') return `Question open: ${gate.title}`;
  }
  return null;
}

/** "Review the change: Re-prompt 2/3" or "Waits for you: Publish?", with the number of other active steps. */
function nowOf(state: RunState, shown: Doing | null, running: number): string | null {
  if (state.status === 'finished') return null;
  if (shown === null) return state.workspaceStatus === 'requested' ? 'Preparing the workspace' : null;
  const what = shown.waits ? shown.what : `${stepTitle(state, shown.stepId)}: ${shown.what}`;
  return `${what}${running > 1 ? `, and ${counted(running - 1, 'more step')}` : ''}`;
}

function doing(state: RunState, activation: ActivationState): Doing {
  const { stepId } = activation;
  const gate = openGate(state, activation);
  return gate === null || activationWorks(state, activation)
    ? { stepId, waits: false, what: workOf(state, activation) }
    : { stepId, waits: true, what: `Waits for you: ${questionText(state, stepId, gate)}` };
}

/** Longer questions are cut in lists. */
const LONGEST_QUESTION = 80;

/** The question's title; the start of its message if the title is only the step's name. */
function questionText(state: RunState, stepId: string, { title, message }: GateState): string {
  const step = stepDefinition(state, stepId);
  if (title !== (step?.title ?? step?.id)) return title;
  const start = message.split('\n').map(plainLine).find(Boolean) ?? title;
  return start.length <= LONGEST_QUESTION ? start : `${start.slice(0, LONGEST_QUESTION - 1).trimEnd()}…`;
}

function openGate(state: RunState, activation: ActivationState): GateState | null {
  for (const id of activation.gateIds) {
    const gate = state.gates[id];
    if (gate?.status === 'open') return gate;
  }
  return null;
}

function workOf(state: RunState, activation: ActivationState): string {
  const turn = shownTurn(state, activation);
  if (turn?.status === 'in_flight') return turnTitle(turn);
  if (activation.timerIds.some((id) => waitsForLimit(state, id))) return 'Provider limit';
  const command = state.commands[activation.commandIds.at(-1) ?? 0];
  if (command?.status === 'running') return 'Command';
  const session = state.sessions[activation.sessionIds.at(-1) ?? 0];
  if (session?.status === 'starting') return 'Starting the agent';
  if (session?.status === 'resuming') return 'Resuming the session';
  return featureProgress(state, activation.id)?.text ?? 'Working';
}

/** The newest turn; if it has ended or waits for an answer, another agent's working turn. */
function shownTurn({ turns, sessions, gates }: RunState, activation: ActivationState): TurnState | undefined {
  const newest = turns[activation.turnIds.at(-1) ?? 0];
  const asking = new Set(
    activation.gateIds.flatMap((id) => (gates[id]?.status === 'open' ? (gates[id]?.turnId ?? []) : [])),
  );
  const works = (turn: TurnState | undefined): boolean =>
    turn?.status === 'in_flight' && turn.activationId === activation.id && !asking.has(turn.id);
  if (works(newest)) return newest;
  const others = activation.sessionIds.map((id) => turns[sessions[id]?.turnIds.at(-1) ?? 0]);
  return others.find(works) ?? newest;
}
