import { memberLane } from '@contract/run/reduce/team';
import type { MemberState, TeamState } from '@contract/team/state';
import { idlePurpose } from '@contract/team/status';
import type { ActivationView, StepDecision } from '../step/module';
import type { TeamConfig } from './config';
import { noticeOnce } from './notice';

type View = ActivationView<TeamConfig>;
const MINUTE = 60_000;

/**
 * The watch over members: a turn without any sign of life, a round that lasts long, and a wait that nobody ends. Each
 * tells the lead and the operator; none ends work (SPEC "Teams").
 */
export function watch(view: View, team: TeamState, open: readonly MemberState[]): StepDecision[] {
  return open.flatMap((member) => [
    ...watchTurn(view, team, member),
    ...watchRound(view, team, member),
    ...watchWait(view, team, member),
  ]);
}

/** What is watched in the name of a turn is set again and again, as long as it is in flight. */
export const stallPurpose = (member: MemberState, turnId: number, count: number): string =>
  `stall ${member.name} ${turnId} ${count}`;

function watchTurn(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const { last } = view.lane(memberLane(member.name));
  const { activationId } = view;
  if (last?.status !== 'in_flight') return [];
  const every = view.config.stall_minutes * MINUTE;
  let count = 1;
  let since = last.startedAt;
  let timer = view.timer(stallPurpose(member, last.turnId, count));
  let silent = false;
  while (timer?.fired === true) {
    silent = (timer.heardAt ?? last.startedAt) <= timer.dueAt - every;
    since = silent ? timer.dueAt : Math.max(timer.heardAt ?? 0, last.startedAt);
    count += 1;
    timer = view.timer(stallPurpose(member, last.turnId, count));
  }
  const decisions: StepDecision[] = [];
  const why = `nothing was heard of it for ${view.config.stall_minutes} minutes`;
  if (silent && member.stalled === null) {
    decisions.push({
      kind: 'tell',
      events: [{ type: 'team.stalled', activationId, member: member.name, why }],
    });
  } else if (!silent && member.stalled !== null && count > 1) {
    decisions.push({
      kind: 'tell',
      events: [{ type: 'team.stalled', activationId, member: member.name, why: null }],
    });
  }
  if (silent) {
    decisions.push(
      ...noticeOnce(view, team, {
        about: `stalled ${member.name} ${last.turnId}`,
        text: `${member.name} stalls: ${why}.`,
      }),
    );
  }
  const purpose = stallPurpose(member, last.turnId, count);
  decisions.push({ kind: 'timer', purpose, dueAt: since + every, watches: last.turnId });
  return decisions;
}

function watchRound(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const round = member.rounds.at(-1);
  if (round === undefined || round.result !== null) return [];
  const minutes = view.config.round_minutes;
  const purpose = `round ${member.name} ${round.round}`;
  if (view.timer(purpose)?.fired === true) {
    const text = `${member.name} has worked on round ${round.round} for ${minutes} minutes.`;
    return noticeOnce(view, team, { about: purpose, text });
  }
  return [{ kind: 'timer', purpose, dueAt: round.startedAt + minutes * MINUTE, watches: null }];
}

/** An instruction waits for it. A note ends no wait: it is read along with the next instruction. */
export const isCalled = (team: TeamState, { queue }: MemberState): boolean =>
  queue.some((id) => team.messages[id]?.kind === 'instruction');

/** An iterative member that waits too long is told of, then parked; its branch stays and it can be called again. */
function watchWait(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const round = member.rounds.at(-1);
  if (!member.iterative || member.stopping !== null || isCalled(team, member)) return [];
  if (round === undefined || round.finishedAt === null) return [];
  const minutes = member.idleMinutes ?? view.config.idle_minutes;
  const purpose = idlePurpose(member);
  if (view.timer(purpose)?.fired !== true)
    return [{ kind: 'timer', purpose, dueAt: round.finishedAt + minutes * MINUTE, watches: null }];
  const text = `${member.name} has waited for ${minutes} minutes after round ${round.round}, and is parked. Its branch is kept; a message takes it up again.`;
  return [
    ...noticeOnce(view, team, { about: purpose, text }),
    { kind: 'release', lane: memberLane(member.name), how: 'park' },
  ];
}
