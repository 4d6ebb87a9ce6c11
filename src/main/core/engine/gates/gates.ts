import { largePiece, storedEvidence } from '@areas/evidence/contract/evidence';
import type { GateOption } from '@areas/gates/contract/gate';
import type { AppError } from '@contract/errors';
import type { RunEventOf } from '@contract/run/events';
import { keyText } from '@contract/run/keys';
import { profileName } from '@contract/run/profile-name';
import type {
  ActivationState,
  CommandState,
  GateState,
  RunState,
  SessionState,
  TurnState,
} from '@contract/run/state';
import type { GateDecision } from '../../step/decision';

type Opened = Omit<RunEventOf<'gate.opened'>, 'gateId'>;

const blank = {
  type: 'gate.opened' as const,
  activationId: null,
  turnId: null,
  sessionId: null,
  commandId: null,
  evidence: null,
  request: null,
  why: null,
};

const failOption = (what: string): GateOption => ({
  id: 'fail',
  label: 'Fail the step',
  effect: `${what} stays as it is; the step fails, and you can resume the run later.`,
  tone: 'reject',
});

const cutOff = ({ stopReason }: TurnState): string =>
  `was cut off: ${stopReason ?? 'no reason is known'}. The agent may have changed files before that.`;

export function interruptedTurnGate(
  turn: TurnState,
  session: SessionState | undefined,
  stepTitle: string,
): Opened {
  const lives = session?.status === 'ready';
  const where = lives ? 'in the same program, which lives' : 'in the resumed session';
  return {
    ...blank,
    kind: 'interrupted_turn',
    activationId: turn.activationId,
    turnId: turn.id,
    sessionId: turn.sessionId,
    title: `${stepTitle}: a turn was cut off`,
    message: `Turn ${turn.ordinal + 1} of ${turn.of} ${cutOff(turn)}`,
    ...storedEvidence(turn.response === '' ? null : [largePiece('markdown', turn.response)]),
    changes: { kind: 'turn', turnId: turn.id },
    options: [
      {
        id: 'continue',
        label: 'Continue in the session',
        effect: lives
          ? 'The agent is asked to go on where it was cut off, in the same program, which lives.'
          : 'The session is resumed and the agent is asked to go on where it was cut off.',
        tone: 'approve',
      },
      {
        id: 'resend',
        label: 'Send again',
        effect: `The same prompt is sent again ${where}.`,
        tone: 'neutral',
      },
      failOption('What it did'),
    ],
  };
}

/** The operator's own prompt was interrupted; no step waits for its answer. */
export function interruptedPromptGate(
  turn: TurnState,
  session: SessionState | undefined,
  stepTitle: string,
): Opened {
  const gate = ofPrompt(interruptedTurnGate(turn, session, stepTitle));
  return {
    ...gate,
    title: `${stepTitle}: what you said was cut off`,
    message: `Your prompt ${cutOff(turn)}`,
    ...storedEvidence([{ kind: 'text', title: 'Your prompt', text: turn.prompt }]),
  };
}

const LEAVE: GateOption = {
  id: 'leave',
  label: 'Leave it',
  effect: 'Nothing is sent. What the agent did stays as it is.',
  tone: 'reject',
};

/** A question about the operator's own prompt, which has no step that could fail. */
export const ofPrompt = <T extends Opened>(gate: T): T => ({
  ...gate,
  options: [...gate.options.filter(({ id }) => id !== 'fail'), LEAVE],
});

export function interruptedCommandGate(command: CommandState, stepTitle: string): Opened {
  return {
    ...blank,
    kind: 'interrupted_command',
    activationId: command.activationId,
    commandId: command.id,
    title: `${stepTitle}: a command was cut off`,
    message: 'The command was running when Muster ended. It may have done part of its work.',
    ...storedEvidence([{ kind: 'text', title: 'Command', text: command.script }]),
    options: [
      {
        id: 'resend',
        label: 'Run again',
        effect: 'The same command is run again from its beginning.',
        tone: 'approve',
      },
      failOption('What it did'),
    ],
  };
}

interface Locked {
  readonly state: RunState;
  readonly session: SessionState;
}

export function loginGate({ state, session }: Locked, activationId: number, error: AppError): Opened {
  const name = profileName(state, session.profileId);
  return {
    ...blank,
    kind: 'login',
    activationId,
    sessionId: session.id,
    title: error.code === 'agent.key_refused' ? `The key of ${name} was refused` : `${name} is not logged in`,
    message: error.mend ?? error.message,
    ...storedEvidence([{ kind: 'text', text: error.message }]),
    options: [
      { id: 'resend', label: 'Try again', effect: 'The agent is started again.', tone: 'approve' },
      failOption('The session'),
    ],
  };
}

/** The login was refused during work. */
export const turnLoginGate = (locked: Locked, turn: TurnState, error: AppError): Opened => ({
  ...loginGate(locked, turn.activationId, error),
  turnId: turn.id,
  options: [
    {
      id: 'resend',
      label: 'Try again',
      effect: 'The session is taken up again, and the same prompt is sent again.',
      tone: 'approve',
    },
    failOption('The session'),
  ],
});

function limitTitle({ error }: TurnState, agent: string): string {
  if (error?.code === 'agent.quota') return `${agent} has used up its quota or credit`;
  if (error?.code === 'agent.overloaded') return `The provider of ${agent} is overloaded`;
  return `${agent} has reached its provider's limit`;
}

export function limitGate(state: RunState, turn: TurnState): Opened {
  const profileId = state.sessions[turn.sessionId]?.profileId;
  return {
    ...blank,
    kind: 'provider_limit',
    activationId: turn.activationId,
    turnId: turn.id,
    sessionId: turn.sessionId,
    title: limitTitle(turn, profileId === undefined ? 'The agent' : profileName(state, profileId)),
    message:
      turn.error?.code === 'agent.quota'
        ? (turn.error.mend ?? '')
        : turn.limitResetsAt === null
          ? 'The provider did not say when the limit ends.'
          : 'The limit was to end at once, and it was not so, several times in a row.',
    ...storedEvidence(turn.error === null ? null : [{ kind: 'text', text: turn.error.message }]),
    options: [
      { id: 'resend', label: 'Send again', effect: 'The same prompt is sent again now.', tone: 'approve' },
      failOption('The session'),
    ],
  };
}

export function budgetGate(activationId: number, spent: string, limit: string): Opened {
  return {
    ...blank,
    kind: 'budget',
    activationId,
    title: 'The run has used its budget',
    message: `Used: ${spent}. Budget: ${limit}. Nothing more is sent until you decide.`,
    options: [
      {
        id: 'raise',
        label: 'Allow the same again',
        effect: 'The run goes on, and may use as much again as its budget was at the start.',
        tone: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the run',
        effect: 'The run is cancelled. What it has made stays.',
        tone: 'reject',
      },
    ],
  };
}

/** Most of a budget is used. Nothing waits for the answer. */
export const budgetNearGate = (
  about: string,
  { spent, limit }: { spent: string; limit: string },
): Opened => ({
  ...blank,
  kind: 'budget_near',
  about,
  title: 'The run has used most of its budget',
  message: `Used: ${spent}. Budget: ${limit}. The run goes on; you are asked again when the budget is used.`,
  options: [
    {
      id: 'keep',
      label: 'Keep the budget',
      effect: 'The run goes on, and waits for you when the budget is used.',
      tone: 'approve',
    },
    {
      id: 'raise',
      label: 'Allow the same again',
      effect: 'The run may use as much again as its budget was at the start.',
      tone: 'neutral',
    },
  ],
});

/** A question of the step's module. */
export const openGate = (
  state: RunState,
  activation: ActivationState,
  decision: GateDecision,
): RunEventOf<'gate.opened'> => ({
  ...blank,
  gateId: state.last.gate + 1,
  kind: decision.gate,
  activationId: activation.id,
  title: decision.title,
  message: decision.message,
  ...storedEvidence(decision.evidence),
  ...(decision.changes === undefined ? {} : { changes: decision.changes }),
  options: [...decision.options],
  ...(decision.about === undefined ? {} : { about: keyText(decision.about) }),
  ...(decision.lane === undefined ? {} : { lane: decision.lane }),
});

/** Whether the gate is one that a step's module opens and waits for; the others are the executor's own. */
export const isModuleGate = (gate: GateState): boolean =>
  gate.kind === 'approval' || gate.kind === 'review_escalation';

/** The newest gate of a kind for one turn, session or command. */
export function findGate(
  state: RunState,
  kind: GateState['kind'],
  about: { turnId?: number; sessionId?: number; commandId?: number },
): GateState | null {
  let found: GateState | null = null;
  for (const gate of Object.values(state.gates)) {
    if (gate.kind !== kind) continue;
    if (about.turnId !== undefined && gate.turnId !== about.turnId) continue;
    if (about.sessionId !== undefined && gate.sessionId !== about.sessionId) continue;
    if (about.commandId !== undefined && gate.commandId !== about.commandId) continue;
    found = gate;
  }
  return found;
}
