import type { GateAnswer, GateOption, PermissionRequest } from '@contract/gate/gate';
import type { RunEvent } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import type { PermissionAnswer } from '../ports/ports';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';

const options: GateOption[] = [
  {
    id: 'allow',
    label: 'Allow once',
    effect: 'The agent does this now, and asks again next time.',
    tone: 'approve',
  },
  {
    id: 'allow_always',
    label: 'Allow always',
    effect:
      'The agent does this now and need not ask for the same again. The agent keeps that rule itself; some keep it longer than this session.',
    tone: 'neutral',
  },
  {
    id: 'deny',
    label: 'Deny',
    effect: 'The agent is told no, with your reason, and goes on without it.',
    tone: 'reject',
  },
];

/** What an answer of the operator means to the agent. */
export function answerOf(answer: GateAnswer): PermissionAnswer {
  const allow = answer.option === 'allow' || answer.option === 'allow_always';
  return { allow, always: answer.option === 'allow_always', reason: answer.reason ?? null };
}

interface Asked {
  readonly sessionId: number;
  readonly turnId: number;
  readonly request: PermissionRequest;
}

/**
 * An agent asks leave. A stored answer to the same question (tool and input equal by hash) of a turn that was cut off
 * is given once; a question that still waits is taken up again; anything else opens a gate, and the gate says why
 * where an earlier question of the step was a different one.
 */
export async function askPermission(
  parts: EffectParts,
  run: LiveRun,
  asked: Asked,
): Promise<PermissionAnswer> {
  const { state } = run;
  const turn = state.turns[asked.turnId];
  const denied: PermissionAnswer = { allow: false, always: false, reason: 'The turn has ended.' };
  if (turn === undefined || turn.status !== 'in_flight' || state.status !== 'running') return denied;
  const earlier = earlierGates(state, turn.activationId, asked.turnId);
  const same = earlier.find((gate) => gate.request?.hash === asked.request.hash);
  if (same?.status === 'resolved' && same.answer) {
    await parts.engine.report(run, [{ type: 'gate.delivered', gateId: same.id, turnId: asked.turnId }]);
    return answerOf(same.answer);
  }
  let gave: (answer: GateAnswer) => void = () => undefined;
  const answered = new Promise<GateAnswer>((resolve) => {
    gave = resolve;
  });
  const wait = (gateId: number) => run.askers.set(gateId, { turnId: asked.turnId, answer: gave });
  if (same !== undefined) {
    wait(same.id);
  } else {
    await parts.engine.report(run, () => {
      if (run.state.turns[asked.turnId]?.status !== 'in_flight' || run.state.status !== 'running') {
        // The turn ended while the store did not take the question.
        gave({ option: 'deny', reason: denied.reason ?? '' });
        return [];
      }
      const gateId = run.state.last.gate + 1;
      wait(gateId);
      return [openGate(run.state, asked, { gateId, activationId: turn.activationId, earlier })];
    });
  }
  return answerOf(await answered);
}

/** Permission gates of turns of this activation that ended without the answer having reached the agent. */
function earlierGates(state: RunState, activationId: number, turnId: number): GateState[] {
  return Object.values(state.gates).filter(
    (gate) =>
      gate.kind === 'permission' &&
      gate.activationId === activationId &&
      gate.turnId !== turnId &&
      !gate.delivered &&
      gate.status !== 'withdrawn',
  );
}

interface Place {
  readonly gateId: number;
  readonly activationId: number;
  readonly earlier: readonly GateState[];
}

function openGate(state: RunState, asked: Asked, { gateId, activationId, earlier }: Place): RunEvent {
  const profile = state.profiles[state.sessions[asked.sessionId]?.profileId ?? ''];
  const why =
    earlier.length === 0
      ? null
      : 'The turn was cut off and sent again; this time the agent asks for something else than before, so your earlier answer does not count for it.';
  return {
    type: 'gate.opened',
    gateId,
    kind: 'permission',
    activationId,
    turnId: asked.turnId,
    sessionId: asked.sessionId,
    commandId: null,
    title: asked.request.title,
    message: `${profile?.name ?? 'An agent'} asks to use ${asked.request.tool}.`,
    evidence: asked.request.command ?? null,
    request: asked.request,
    options,
    why,
  };
}
