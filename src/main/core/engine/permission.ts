import { type GateAnswer, type GateOption, givesLeave, type PermissionRequest } from '@contract/gate/gate';
import { type PermissionRule, ruleName } from '@contract/permission/rule';
import type { RunEventOf } from '@contract/run/events';
import type { GateState, RunState } from '@contract/run/state';
import { whereAsked } from '../permission/context';
import type { RuleContext } from '../permission/match';
import { proposeRule } from '../permission/propose';
import type { PermissionAnswer } from '../ports/ports';
import type { EffectParts } from './effect-parts';
import type { LiveRun } from './live-run';
import { isOwnTool } from './own-tool';
import { isInTeam } from './team-tools';

const ALLOW: GateOption = {
  id: 'allow',
  label: 'Allow once',
  effect: 'The agent does this now, and asks again next time.',
  tone: 'approve',
};
const ALLOW_RULE: GateOption = {
  id: 'allow_rule',
  label: 'Allow by rule',
  effect: 'The agent does this now, and a rule of yours answers for you when it is asked again.',
  tone: 'neutral',
};
const DENY: GateOption = {
  id: 'deny',
  label: 'Deny',
  effect: 'The agent is told no, with your reason, and goes on without it.',
  tone: 'reject',
};

/** What an answer means to the agent. */
export function answerOf(answer: GateAnswer): PermissionAnswer {
  const allow = givesLeave(answer);
  return { allow, always: answer.option === 'allow_always', reason: answer.reason ?? null };
}

interface Asked {
  readonly sessionId: number;
  readonly turnId: number;
  readonly request: PermissionRequest;
}

/**
 * An agent asks leave. What a rule of the operator answers is answered at once, and recorded as a gate like any other.
 * A stored answer to the same question (tool and input equal by hash) of a turn that was cut off
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
  // Nobody need be asked to let an agent speak in its team.
  if (isInTeam(state, asked.sessionId) && isOwnTool(asked.request))
    return { allow: true, always: false, reason: null };
  if (turn === undefined || turn.status !== 'in_flight' || state.status !== 'running') return denied;
  const earlier = earlierGates(state, turn.activationId, asked.turnId);
  const same = earlier.find((gate) => gate.request?.hash === asked.request.hash);
  if (same?.status === 'resolved' && same.answer) {
    await parts.engine.report(run, [{ type: 'gate.delivered', gateId: same.id, turnId: asked.turnId }]);
    return answerOf(same.answer);
  }
  const context = whereAsked(run.runId, state, asked.sessionId);
  const rule = context === null ? null : parts.rules.match(asked.request, context);
  if (rule !== null) return answerByRule({ parts, run }, { ...asked, rule, same, context });
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
      const place = { gateId, activationId: turn.activationId, earlier };
      const now = parts.clock.now();
      return [openGate(run.state, asked, { ...place, context: context && { ...context, now } })];
    });
  }
  return answerOf(await answered);
}

interface Ruled extends Asked {
  readonly rule: PermissionRule;
  /** The same question of an earlier turn, if it still waits: the rule answers that one. */
  readonly same: GateState | undefined;
  readonly context: Omit<RuleContext, 'now'> | null;
}

/** The whole story of the gate in one commit, so that nobody is asked in between and history shows who answered. */
async function answerByRule(
  { parts, run }: { readonly parts: EffectParts; readonly run: LiveRun },
  { rule, same, context, ...asked }: Ruled,
): Promise<PermissionAnswer> {
  const allow = rule.effect === 'allow';
  const reason = rule.reason === '' ? {} : { reason: rule.reason };
  const answer: GateAnswer = { option: allow ? 'allow' : 'deny', ...reason };
  let told = answerOf(answer);
  await parts.engine.report(run, () => {
    const turn = run.state.turns[asked.turnId];
    if (turn?.status !== 'in_flight' || run.state.status !== 'running') {
      told = { allow: false, always: false, reason: 'The turn has ended.' };
      return [];
    }
    const waiting = same === undefined ? undefined : run.state.gates[same.id];
    const known = waiting?.status === 'open' ? waiting.id : null;
    const gateId = known ?? run.state.last.gate + 1;
    const place = { gateId, activationId: turn.activationId, earlier: [] };
    const now = parts.clock.now();
    const opened = openGate(run.state, asked, { ...place, context: context && { ...context, now } });
    return [
      ...(known === null ? [{ ...opened, rule: rule.id }] : []),
      { type: 'gate.resolved', gateId, answer, by: ruleName(rule.id) },
      { type: 'gate.delivered', gateId, turnId: asked.turnId },
    ];
  });
  return told;
}

/**
 * Permission gates of turns of this activation that ended without the answer having reached the agent. Of its own lane:
 * an agent that works beside it and asks the same asks for itself.
 */
function earlierGates(state: RunState, activationId: number, turnId: number): GateState[] {
  const lane = state.turns[turnId]?.lane;
  return Object.values(state.gates).filter(
    (gate) =>
      gate.kind === 'permission' &&
      gate.activationId === activationId &&
      gate.turnId !== turnId &&
      state.turns[gate.turnId ?? 0]?.lane === lane &&
      !gate.delivered &&
      gate.status !== 'withdrawn',
  );
}

interface Place {
  readonly gateId: number;
  readonly activationId: number;
  readonly earlier: readonly GateState[];
  readonly context: RuleContext | null;
}

function openGate(state: RunState, asked: Asked, place: Place): RunEventOf<'gate.opened'> {
  const { gateId, activationId, earlier, context } = place;
  // Where no rule could allow it, none is offered.
  const ruled = context !== null && proposeRule(asked.request, context) !== null;
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
    request: context?.ownCheckout === true ? { ...asked.request, own_checkout: true } : asked.request,
    options: ruled ? [ALLOW, ALLOW_RULE, DENY] : [ALLOW, DENY],
    why,
  };
}
