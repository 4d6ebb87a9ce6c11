import { responsePieces } from '@areas/evidence/contract/response-pieces';
import { type AppError, appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { agentRef } from '@main/core/step/agent/agent';
import { firstFiles } from '@main/core/step/agent/chain';
import { capReached, repromptFiles } from '@main/core/step/agent/reprompts';
import type {
  CaptureDecision,
  GateDecision,
  StepDecision,
  StepDecisions,
  TurnDecision,
} from '@main/core/step/decision';
import type { ActivationView, ObservedTurn } from '@main/core/step/module';
import { turnUpdate } from '@main/core/step/update';
import { type CodingConfig, chainOf, indexOfLane, laneOf } from './config';
import { captureOfAll, finishCoding, workedTurns } from './outputs';
import { captureName, labelOf, nameOf, promptOf } from './prompts';
import { type Course, courseOf, type NextTurn, type Phase, placeOf } from './walk';

type View = ActivationView<CodingConfig>;

/**
 * Each agent works through its instruction and re-prompts in its own session, in the order of the
 * coordination (seed 000 sections 3.2 and 7.6); then the changes are captured and given out.
 */
export function decideCoding(view: View): StepDecisions {
  const course = courseOf(view);
  const handed = handOver(view, course);
  if (handed.length > 0) return handed;
  if (course.undecided !== null) return escalation(view, course.undecided);
  if (course.wanted.length > 0) {
    const error = capReached(view.config.max_iterations, {
      sent: view.promptsSent,
      answered: view.config.agents.reduce((sum, _, index) => sum + view.lane(laneOf(index)).turns.length, 0),
      of: expected(view.config),
    });
    if (error === null) return course.wanted.map((wanted) => turnOf(view, course, wanted));
    return ending(view, course, { outcome: 'failed', error });
  }
  const refused = course.reviews.at(-1);
  if (refused?.by === 'operator' && refused.decision === null) {
    const error = appError('step.failed', 'the operator ended a review without a decision');
    return ending(view, course, { outcome: 'failed', error });
  }
  return ending(view, course, { outcome: 'succeeded', error: null });
}

/** Ends at a cap: failed, with all results so far. */
export const spentCoding = (view: View, error: AppError): StepDecisions =>
  ending(view, courseOf(view), { outcome: 'failed', error });

/** Total prompts of the activation if every round is used. */
function expected({ coordination, agents, max_rounds }: CodingConfig): number {
  const once = agents.reduce((sum, agent) => sum + chainOf(agent), 0);
  return coordination === 'review_chain' ? once * max_rounds : once;
}

/**
 * Captures an agent's changes when its part is done, for the next agent's prompt; in a sequence this also
 * releases its session.
 */
function handOver(view: View, course: Course): CaptureDecision[] {
  const { coordination, session_style } = view.config;
  const last = course.phases.at(-1);
  const next = course.wanted[0];
  if (last === undefined || next === undefined || coordination === 'parallel') return [];
  const name = captureName(last);
  if (next.agent === last.agent || view.captures.some((one) => one.name === name)) return [];
  return [
    {
      kind: 'capture',
      name,
      lane: laneOf(last.agent),
      fromTurn: last.turns[0]?.turnId ?? null,
      toTurn: last.turns.at(-1)?.turnId ?? null,
      release: coordination === 'sequential' && !view.config.session_persist ? session_style : null,
    },
  ];
}

function turnOf(view: View, course: Course, wanted: NextTurn): TurnDecision {
  const { config } = view;
  const agent = config.agents[wanted.agent];
  const lane = laneOf(wanted.agent);
  const previous = view.lane(lane).previousSessionKey;
  const length = agent === undefined ? 1 : chainOf(agent);
  const rounds = config.coordination === 'review_chain' ? config.max_rounds : 1;
  const kind =
    wanted.index === 'reminder'
      ? 'reminder'
      : wanted.index > 0
        ? 'reprompt'
        : wanted.round > 1
          ? 'feedback'
          : 'primary';
  return {
    kind: 'turn',
    lane,
    label: labelOf(view, { agent: wanted.agent, ordinal: wanted.ordinal }),
    ownWorkspace: config.coordination === 'parallel' ? 'lane' : 'activation',
    agent: agentRef(agent ?? { acp_profile_id: null, agent_config: null }),
    session:
      config.session_persist && previous !== null ? { kind: 'continue', key: previous } : { kind: 'own' },
    turn: kind,
    ordinal: wanted.ordinal,
    of: Math.max(length * rounds, wanted.ordinal + 1),
    prompt: promptOf(view, course, wanted),
    attachments: attachmentsOf(view, wanted),
    progress: kind === 'reprompt' ? [dispatched(view, wanted)] : [],
  };
}

function attachmentsOf(view: View, { agent, index, round }: NextTurn) {
  const { config } = view;
  const filesOf = (paths: readonly string[]) => paths.flatMap((path) => view.attachment(path) ?? []);
  if (index === 'reminder') return [];
  if (index > 0) return filesOf(repromptFiles(config.agents[agent]?.re_prompts[index - 1] ?? ''));
  if (round > 1) return [];
  return firstFiles(filesOf(config.attachments), view.requestAttachments);
}

function dispatched(view: View, { agent, index }: NextTurn): RunEvent {
  return {
    type: 'task.coding.agent_reprompt_dispatched',
    module_id: view.stepId,
    agent_role: view.config.agents[agent]?.role ?? '',
    reprompt_index: Number(index) - 1,
  };
}

/** Captures everything, then ends; both outcomes keep the results so far. */
function ending(
  view: View,
  course: Course,
  end: Parameters<typeof finishCoding>[2],
): StepDecision | CaptureDecision[] {
  const missing = wholeCaptures(view).filter((one) => !view.captures.some(({ name }) => name === one.name));
  if (missing.length > 0) return missing;
  const finish = finishCoding(view, course, end);
  const unapproved =
    end.outcome === 'succeeded' && view.config.coordination === 'review_chain' && course.approved !== true;
  return unapproved ? { ...finish, escalation: unapprovedGate(view, course) } : finish;
}

function wholeCaptures(view: View): CaptureDecision[] {
  const { agents, coordination } = view.config;
  const capturesOf = (agent: number | null, lanes: readonly number[]): CaptureDecision[] => {
    const turns = lanes.flatMap((lane) => workedTurns(view, lane));
    const ids = turns.map((turn) => turn.turnId);
    if (ids.length === 0) return [];
    const lane = agent === null ? null : laneOf(agent);
    const name = captureOfAll(view, agent);
    const span = { fromTurn: Math.min(...ids), toTurn: Math.max(...ids) };
    return [{ kind: 'capture', name, lane, ...span, release: null }];
  };
  const all = [...agents.keys()];
  return coordination === 'parallel'
    ? all.flatMap((agent) => capturesOf(agent, [agent]))
    : capturesOf(null, all);
}

function escalation(view: View, phase: Phase): GateDecision {
  const reviewer = view.config.agents[phase.agent];
  const reminded = view.lane(laneOf(phase.agent)).turns.at(-1)?.response ?? '';
  const review = phase.turns.at(-1)?.response ?? '';
  const remaining = view.config.max_rounds - phase.round;
  return {
    kind: 'gate',
    gate: 'review_escalation',
    title: `${view.title}: round ${phase.round}`,
    message: `No decision could be read from the review of ${reviewer?.role ?? ''}: ${nameOf(view, reviewer)}, also after a reminder. Decide in its place.`,
    evidence: [...responsePieces(review, 'Review'), ...responsePieces(reminded, 'Answer to the reminder')],
    options: [
      { id: 'approve', label: 'Approve', effect: 'The work is taken as approved.', tone: 'approve' },
      {
        id: 'revise',
        label: 'Revise',
        effect:
          remaining > 0
            ? `The builder works on it again with your reason (${remaining} of ${view.config.max_rounds} rounds left).`
            : 'The last round is used: the work goes on as not approved.',
        tone: 'reject',
      },
      {
        id: 'fail',
        label: 'Fail the step',
        effect: 'What was made stays, and the step fails.',
        tone: 'reject',
      },
    ],
  };
}

/**
 * The output is given out, as the seed requires; that no one approved it remains a question for the operator
 * (SPEC "Re-prompts").
 */
function unapprovedGate(view: View, course: Course): GateDecision {
  const rounds = course.reviews.length;
  const last = course.phases.findLast((phase) => phase.agent === 1);
  return {
    kind: 'gate',
    gate: 'review_escalation',
    title: `${view.title}: not approved`,
    message: `The review chain used its ${rounds} ${rounds === 1 ? 'round' : 'rounds'} without approval. The steps behind it have gone on with what there is.`,
    evidence: responsePieces(last?.turns.at(-1)?.response ?? '', 'Review'),
    options: [
      {
        id: 'accept',
        label: 'Accept unapproved work',
        effect: 'The run ends as its steps do.',
        tone: 'approve',
      },
      {
        id: 'reject',
        label: 'Reject',
        effect: 'The run ends as rejected; what was made stays.',
        tone: 'reject',
      },
    ],
  };
}

/** Progress events (seed 000 section 11) and the update of each agent's turn. */
export function observeCoding(view: View, turn: ObservedTurn): RunEvent[] {
  const agent = indexOfLane(turn.lane ?? laneOf(0));
  const role = view.config.agents[agent]?.role ?? '';
  const posted = turnUpdate({ ...titled(view, role) }, turn);
  const place = placeOf(view, { agent, ordinal: turn.ordinal });
  if (!turn.completed || place.index === 'reminder' || place.index === 0) return [posted];
  return [
    {
      type: 'task.coding.agent_reprompt_response',
      module_id: view.stepId,
      agent_role: role,
      reprompt_index: place.index - 1,
    },
    posted,
  ];
}

const titled = (view: View, role: string) => ({
  stepId: view.stepId,
  activationId: view.activationId,
  title: view.config.agents.length === 1 ? view.title : `${view.title} (${role})`,
});
