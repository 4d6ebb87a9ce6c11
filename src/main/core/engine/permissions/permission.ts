import { storedEvidence } from '@areas/evidence/contract/evidence';
import {
  allowsRequest,
  type GateAnswer,
  type GateOption,
  type PermissionRequest,
} from '@areas/gates/contract/gate';
import { type PermissionRule, ruleName } from '@areas/permissions/contract/rule';
import { whereAsked } from '@areas/permissions/core/context';
import type { RuleContext } from '@areas/permissions/core/match';
import { proposeRule } from '@areas/permissions/core/propose';
import { ownValue } from '@contract/own';
import type { RunEventOf } from '@contract/run/events';
import { laneFacts } from '@contract/run/features/feature-answers';
import type { GateState, RunState, TurnState } from '@contract/run/state';
import type { PermissionAnswer } from '../../ports/ports';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';
import { earlierGates } from '../gates/turn-gates';
import { isOwnTool } from './own-tool';
import { hasOwnTools } from './own-tools';
import { floodAnswer, floodNotice, isFlood } from './permission-flood';

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

/** An answer in the agent's terms. */
export function answerOf(answer: GateAnswer): PermissionAnswer {
  const allow = allowsRequest(answer);
  return { allow, always: answer.option === 'allow_always', reason: answer.reason ?? null };
}

interface AskedPermission {
  readonly sessionId: number;
  readonly turnId: number;
  readonly request: PermissionRequest;
}

const ENDED: GateAnswer = { option: 'deny', reason: 'The turn has ended.' };

/**
 * Handles a permission request. If a rule covers it, it is answered at once and recorded like any gate. A
 * stored answer from an interrupted turn is used once for the same question (equal hash of tool and input); a
 * still open question is reused. Otherwise a gate is opened; it says so if an earlier question of the step
 * was different. Simultaneous equal requests each get their own gate.
 */
export async function askPermission(
  parts: EffectParts,
  run: LiveRun,
  permission: AskedPermission,
): Promise<PermissionAnswer> {
  const { state } = run;
  const turn = state.turns[permission.turnId];
  // Agents may always speak in their team without permission.
  if (hasOwnTools(state, permission.sessionId) && isOwnTool(permission.request))
    return { allow: true, always: false, reason: null };
  if (turn === undefined || !mayAsk(run, permission)) return answerOf(ENDED);
  const earlier = earlierGates(state, turn);
  const same = earlier.find(
    ({ id, request }) => request?.hash === permission.request.hash && !run.pendingPermissions.has(id),
  );
  if (same?.status === 'resolved') {
    const stored = await takeStored({ parts, run }, permission, same.id);
    return stored === null ? askPermission(parts, run, permission) : answerOf(stored);
  }
  const context = whereAsked(run.runId, state, permission.sessionId);
  const rule = context === null ? null : parts.rules.match(permission.request, context);
  if (rule !== null) return answerByRule({ parts, run }, { ...permission, rule, same, context });
  if (same === undefined)
    return answerOf(await askOperator({ parts, run }, permission, { turn, earlier, context }));
  return answerOf(
    await new Promise<GateAnswer>((answer) =>
      run.pendingPermissions.set(same.id, { turnId: permission.turnId, answer }),
    ),
  );
}

const mayAsk = ({ state }: LiveRun, { turnId }: AskedPermission): boolean =>
  state.turns[turnId]?.status === 'in_flight' && state.status === 'running';

interface GateRun {
  readonly parts: EffectParts;
  readonly run: LiveRun;
}

/** The stored answer; null if another request took it meanwhile, or the store rejected the event. */
async function takeStored(
  { parts, run }: GateRun,
  permission: AskedPermission,
  gateId: number,
): Promise<GateAnswer | null> {
  let stored: GateAnswer | null = null;
  await parts.engine.report(run, () => {
    const gate = run.state.gates[gateId];
    stored = gate === undefined || gate.delivered ? null : gate.answer;
    return stored === null ? [] : [{ type: 'gate.delivered', gateId, turnId: permission.turnId }];
  });
  return stored;
}

interface NewQuestion {
  readonly turn: TurnState;
  readonly earlier: readonly GateState[];
  readonly context: Omit<RuleContext, 'now'> | null;
}

/** Opens a new gate and waits for its answer. */
function askOperator(
  { parts, run }: GateRun,
  permission: AskedPermission,
  { turn, ...question }: NewQuestion,
): Promise<GateAnswer> {
  return new Promise((answer) => {
    const asker = { turnId: permission.turnId, answer };
    let waitsAt: number | null = null;
    const asking = parts.engine.report(run, () => {
      // A try that the store rejected may have lost its number to another gate.
      if (waitsAt !== null && run.pendingPermissions.get(waitsAt) === asker)
        run.pendingPermissions.delete(waitsAt);
      waitsAt = null;
      if (!mayAsk(run, permission)) {
        answer(ENDED);
        return [];
      }
      if (isFlood(run.state, turn, { ruled: false })) {
        answer(floodAnswer(false));
        return floodNotice(run.state, turn, false);
      }
      const gateId = run.state.last.gate + 1;
      waitsAt = gateId;
      run.pendingPermissions.set(gateId, asker);
      const { earlier, context } = question;
      const place = { gateId, activationId: turn.activationId, earlier };
      const now = parts.clock.now();
      return [openGate(run.state, permission, { ...place, context: context && { ...context, now } })];
    });
    asking.catch((bug: unknown) => {
      parts.logger.error('a question could not be recorded', { runId: run.runId, cause: String(bug) });
      answer({ option: 'deny', reason: 'Muster could not record the question.' });
    });
  });
}

interface Ruled extends AskedPermission {
  readonly rule: PermissionRule;
  /** The same question of an earlier turn, if still open: the rule answers that gate. */
  readonly same: GateState | undefined;
  readonly context: Omit<RuleContext, 'now'> | null;
}

/**
 * Commits the whole life of the gate at once, so that no one is asked in between and history shows what
 * answered it.
 */
async function answerByRule(
  { parts, run }: GateRun,
  { rule, same, context, ...permission }: Ruled,
): Promise<PermissionAnswer> {
  const allow = rule.effect === 'allow';
  const reason = rule.reason === '' ? {} : { reason: rule.reason };
  const answer: GateAnswer = { option: allow ? 'allow' : 'deny', ...reason };
  let reply = answerOf(answer);
  await parts.engine.report(run, () => {
    const turn = run.state.turns[permission.turnId];
    if (turn === undefined || !mayAsk(run, permission)) {
      reply = answerOf(ENDED);
      return [];
    }
    if (isFlood(run.state, turn, { ruled: true })) {
      reply = answerOf(floodAnswer(true));
      return floodNotice(run.state, turn, true);
    }
    const waiting = same === undefined ? undefined : run.state.gates[same.id];
    const known = waiting?.status === 'open' ? waiting.id : null;
    const gateId = known ?? run.state.last.gate + 1;
    const place = { gateId, activationId: turn.activationId, earlier: [] };
    const now = parts.clock.now();
    const opened = openGate(run.state, permission, { ...place, context: context && { ...context, now } });
    return [
      ...(known === null ? [{ ...opened, rule: rule.id }] : []),
      { type: 'gate.resolved', gateId, answer, by: ruleName(rule.id) },
      { type: 'gate.delivered', gateId, turnId: permission.turnId },
    ];
  });
  return reply;
}

interface Opening {
  readonly gateId: number;
  readonly activationId: number;
  readonly earlier: readonly GateState[];
  readonly context: RuleContext | null;
}

function openGate(state: RunState, permission: AskedPermission, place: Opening): RunEventOf<'gate.opened'> {
  const { gateId, activationId, earlier, context } = place;
  // If no rule could allow it, none is offered.
  const ruled = context !== null && proposeRule(permission.request, context) !== null;
  const profile = ownValue(state.profiles, state.sessions[permission.sessionId]?.profileId ?? '');
  const why = [whyAskedAgain(permission, earlier), stopsAfter(state, permission)]
    .filter((one) => one !== null)
    .join(' ');
  const { command } = permission.request;
  const folder = state.sessions[permission.sessionId]?.cwd ?? null;
  return {
    type: 'gate.opened',
    gateId,
    kind: 'permission',
    activationId,
    turnId: permission.turnId,
    sessionId: permission.sessionId,
    commandId: null,
    title: withoutBackticks(permission.request.title),
    message: `${profile?.name ?? 'An agent'} ${wishOf(permission.request)}.`,
    ...storedEvidence(command === undefined ? null : [{ kind: 'text', title: 'Command', text: command }]),
    request: {
      ...permission.request,
      ...(context?.ownCheckout === true && { own_checkout: true }),
      ...(folder !== null && { folder }),
    },
    options: ruled ? [ALLOW, ALLOW_RULE, DENY] : [ALLOW, DENY],
    why: why === '' ? null : why,
  };
}

/** Agents format a command as Markdown code, but titles are not rendered as Markdown. */
const withoutBackticks = (title: string): string => /^`+([^`]+)`+$/.exec(title.trim())?.[1]?.trim() ?? title;

const WISHES: Readonly<Record<string, string>> = {
  edit: 'change',
  delete: 'delete',
  move: 'move',
  read: 'read',
};

/** What the agent wants to do, as far as the request says. */
function wishOf({ kind, tool, command, diffs, paths = [] }: PermissionRequest): string {
  if (command !== undefined) return 'wants to run a command';
  const verb = ownValue(WISHES, kind);
  const files = new Set([...diffs.map(({ path }) => path), ...paths]).size;
  if (verb !== undefined && files > 0) return `wants to ${verb} ${files === 1 ? 'a file' : `${files} files`}`;
  if (kind === 'fetch') return 'wants to read from the network';
  return `wants to use ${tool}`;
}

const OTHER =
  'The turn was cut off and sent again; this time the agent asks for something else than before, so your earlier answer does not count for it.';
const TWICE =
  'The turn was cut off and sent again; the agent asks the same more than once, and each time is answered by itself.';

/** Extra note for a question of a turn after which the agent stops. */
function stopsAfter(state: RunState, { turnId }: AskedPermission): string | null {
  const turn = state.turns[turnId];
  if (turn?.lane == null) return null;
  return laneFacts(state, turn.activationId, turn.lane).stopsAfter ?? null;
}

/** Why a question is asked although the turn was interrupted at an earlier one. */
function whyAskedAgain({ request }: AskedPermission, earlier: readonly GateState[]): string | null {
  if (earlier.length === 0) return null;
  return earlier.some((gate) => gate.request?.hash === request.hash) ? TWICE : OTHER;
}
