import { markdown } from '@areas/evidence/contract/response-pieces';
import type { RunEvent } from '@contract/run/events';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import { memberLane } from '../../contract/lanes/lanes';
import type { MemberState, TeamState } from '../../contract/state';
import { hasEnded } from '../../contract/status';
import { ask, takeBack, tell } from '../base/operator-questions';
import type { TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;

/** Key of the gate about a member's plan, which is its newest turn. */
const planKey = ({ name }: Pick<MemberState, 'name'>, turns: number): TeamKey => ['team.plan', name, turns];

const HOLD = {
  held: 'Until you approve, its agent can only read.',
  asks: 'Until you approve, Muster refuses every change that its agent asks for.',
  none: 'Muster cannot stop this agent from writing before you approve. It was only told not to.',
} as const;

/** Opens before its first round, and again whenever the plan was sent back. */
export function planGate(view: View, team: TeamState, member: MemberState): StepDecision[] {
  if (!member.planApproval) return [];
  const lane = memberLane(member.name);
  const { turns, prompted } = view.lane(lane);
  const about = planKey(member, turns.length);
  if (hasEnded(member) || member.plan.status !== 'pending')
    return takeBack(view, about, `The plan of ${member.name} does not wait any more.`);
  const { activationId } = view;
  const answer = view.gateByKey(about)?.answer ?? null;
  if (answer === null) {
    const wrote = turns.at(-1)?.changes?.files ?? 0;
    const changed =
      wrote === 0 ? '' : ` ${wrote === 1 ? '1 file' : `${wrote} files`} changed while it planned.`;
    return ask(view, {
      about,
      lane,
      gate: 'team_plan',
      title: `Plan of ${member.name}`,
      message: `It has not begun. ${HOLD[view.readingHold(member.profileId)]}${changed}`,
      evidence: markdown(member.plan.text),
      options: [
        { id: 'approve', label: 'Approve', effect: `${member.name} begins.`, tone: 'approve' },
        {
          id: 'reject',
          label: 'Send back',
          effect: 'It makes another plan, with your reason.',
          tone: 'reject',
        },
      ],
    });
  }
  const reason = answer.reason?.trim() || answer.text?.trim() || null;
  const decided = (status: 'approved' | 'rejected'): StepDecision[] =>
    tell(...planEvents({ activationId, team, member }, { status, reason, by: OPERATOR }));
  if (answer.option !== 'approve') return decided('rejected');
  // Its session was opened read-only. It is closed before the plan counts as approved, and reopened for
  // writing.
  if (prompted !== null) return [];
  return [
    { kind: 'release', lane, how: 'park', reason: 'its plan is approved: it is opened again to work' },
    ...decided('approved'),
  ];
}

/** A plan is approved or sent back: the member is told, and continues. */
export function planEvents(
  { activationId, team, member }: { activationId: number; team: TeamState; member: MemberState },
  { status, reason, by }: { status: 'approved' | 'rejected'; reason: string | null; by: string },
): RunEvent[] {
  const text =
    status === 'approved'
      ? `Your plan is approved. Carry it out.${reason === null ? '' : `\n${reason}`}`
      : `Your plan is not approved.${reason === null ? '' : ` ${reason}`} Send another plan.`;
  return [
    { type: 'team.plan', activationId, member: member.name, status, plan: member.plan.text, reason, by },
    {
      type: 'team.message',
      activationId,
      messageId: team.last.message + 1,
      from: by === LEAD ? LEAD : OPERATOR,
      to: [member.name],
      kind: 'instruction',
      text,
    },
  ];
}
