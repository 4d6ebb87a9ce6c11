import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { assemblePrompt } from '@main/core/step/agent/prompt';
import type { StepDecision, TurnDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { LEAD, type MemberSpec, OPERATOR } from '../contract/events';
import { LEAD_LANE, memberLane } from '../contract/lanes/lanes';
import type { MemberState, TeamMessage, TeamState } from '../contract/state';
import { hasEnded, isPlanning } from '../contract/status';
import { limited, roundsAllowed } from './base/limits';
import { joinEvents, LAST_ROUND_DELIVERED, stopEvent } from './base/member-events';
import { leadIsAgent, type TeamConfig } from './config';
import { finishTeam } from './finish';
import { gatesOf } from './gates/gates';
import { mergeNotices } from './messages/merge-notices';
import { leadPrompt, memberPrompt, TASK } from './messages/prompts';
import { leadIsWoken, messagesOf, owesFinal } from './messages/queue';
import { unreadAtTheEnd } from './messages/unread-messages';
import { restGate } from './watch/quiescence';
import { watch } from './watch/watch';

type View = ActivationView<TeamConfig>;

/**
 * A team's next decisions, from its state. Members of the definition join; waiting messages are delivered
 * with a turn; released members get their last round; stalls are reported; and the step ends when all are
 * done.
 */
export function decideTeam(view: View): StepDecision[] {
  const team = view.part('teams');
  if (team === null) return [tell(firstEvents(view))];
  const open = Object.values(team.members).filter((member) => !hasEnded(member));
  return [
    ...endings(view, team, open),
    ...freedTasks(team),
    ...gatesOf(view, team),
    ...watch(view, team, open),
    ...mergeNotices(view, team),
    ...restGate(view, team),
    ...open.flatMap((member) => memberTurn(view, team, member)),
    ...leadTurn(view, team),
    ...finishTeam(view, team),
  ];
}

const tell = (events: readonly RunEvent[]): StepDecision => ({ kind: 'tell', events });

/**
 * Adds the members of the definition, each with its first instruction, and the request to the whole team. A
 * lead agent receives the request; if the operator leads, each member gets it with its first instruction.
 */
function firstEvents(view: View): RunEvent[] {
  const { config, activationId } = view;
  const led = leadIsAgent(config);
  const task = assemblePrompt(view, config.instruction);
  const before = !led && task !== '' ? 1 : 0;
  const joined = config.members.flatMap((entry, index): RunEvent[] => {
    const member: MemberSpec = {
      name: entry.name,
      profileId: entry.agent,
      model: entry.model,
      prompt: entry.prompt,
      iterative: entry.iterative,
      readOnly: entry.read_only,
      worktree: entry.worktree && !entry.read_only,
      planApproval: entry.plan_approval,
      idleMinutes: entry.idle_minutes,
    };
    return joinEvents({ activationId, member, by: led ? LEAD : OPERATOR }, before + index + 1);
  });
  const messageEvent = (messageId: number, to: string, text: string): RunEvent => {
    const about = before === 1 ? { about: TASK } : {};
    const from = { activationId, messageId, kind: 'instruction' as const, from: OPERATOR };
    return { type: 'team.message', ...from, to: [to], text, ...about };
  };
  if (before === 1) return [messageEvent(1, OPERATOR, task), ...joined];
  if (!led && joined.length > 0) return joined;
  // Even without a message: the first event creates the team.
  const text = task === '' ? 'The team is open.' : task;
  return [...joined, messageEvent(config.members.length + 1, led ? LEAD : OPERATOR, text)];
}

/** Frees tasks whose owner has ended; if the operator accepted the owner's work, they are completed. */
function freedTasks({ activationId, members, tasks }: TeamState): StepDecision[] {
  const remaining = Object.values(tasks).filter(({ status, owner }) => {
    const member = ownValue(members, owner ?? '');
    return status === 'in_progress' && member !== undefined && hasEnded(member);
  });
  const events = remaining.map(({ id: taskId, owner }): RunEvent => {
    const member = ownValue(members, owner ?? '');
    if (member?.released?.how === 'satisfied')
      return { type: 'team.task-completed', activationId, taskId, by: OPERATOR };
    const reason = `${owner} ${member?.failed == null ? 'has stopped' : 'failed'}`;
    return { type: 'team.task-freed', activationId, taskId, reason };
  });
  return events.length === 0 ? [] : [tell(events)];
}

/** Stops members: at once, or after the turn in flight. */
function endings(view: View, team: TeamState, open: readonly MemberState[]): StepDecision[] {
  const { activationId } = team;
  return open.flatMap((member): StepDecision[] => {
    if (member.stopping === null || member.freezing !== null) return [];
    const { force, by } = member.stopping;
    const { last, prompted } = view.lane(memberLane(member.name));
    if (last?.status === 'in_flight' || prompted === 'in_flight')
      return force ? [{ kind: 'stop', lane: memberLane(member.name), by }] : [];
    // Its finishing turn or the answer to it, or a message from the operator, is still to come.
    if (!force && (owesFinal(member) || prompted !== null || last?.pending === true)) return [];
    const reason = force ? 'ended by force' : hasFinal(member) ? LAST_ROUND_DELIVERED : `asked by ${by}`;
    return [
      tell([stopEvent(view, member, { activationId, reason }), ...unreadAtTheEnd(view, { team, member })]),
    ];
  });
}

const hasFinal = ({ rounds }: MemberState): boolean => {
  const last = rounds.at(-1);
  return last?.final === true && last.result !== null;
};

/** Notes wake no one: they are read with the next instruction. */
const wakes = (member: MemberState, queue: readonly TeamMessage[]): boolean =>
  queue.some((message) => message.kind === 'instruction') || (member.stopping !== null && owesFinal(member));

function memberTurn(view: View, team: TeamState, member: MemberState): TurnDecision[] {
  const queue = messagesOf(team, member.queue);
  if (member.freezing !== null || !wakes(member, queue)) return [];
  const lane = memberLane(member.name);
  const { turns, last } = view.lane(lane);
  if (last?.status === 'in_flight' || limited(view, member)) return [];
  const planning = isPlanning(member);
  if (planning && member.plan.status === 'pending') return [];
  const final = member.stopping !== null && owesFinal(member);
  const previous = member.rounds.at(-1);
  const continues = previous !== undefined && previous.result === null;
  // A last round is separate even if the previous one was interrupted.
  const next = continues && !final ? previous.round : (previous?.round ?? 0) + 1;
  const round = planning || (continues && !final) ? null : next;
  const delivered = (turnId: number): RunEvent[] => [
    {
      type: 'team.delivered',
      activationId: view.activationId,
      to: member.name,
      messageIds: queue.map((message) => message.id),
      turnId,
      round,
      final,
    },
  ];
  const first = last === null;
  return [
    {
      kind: 'turn',
      lane,
      label: `${member.name}: ${planning ? 'plan' : final ? 'last round' : `round ${next}`}`,
      agent: { profileId: member.profileId, model: member.model, mode: null, env: {} },
      session: { kind: 'own' },
      ...(member.worktree ? { ownWorkspace: 'lane' as const } : {}),
      turn: first ? 'primary' : 'feedback',
      ordinal: turns.length,
      of: Math.max(roundsAllowed(view, member), turns.length + 1),
      prompt: memberPrompt(view, { team, member }, { messages: queue, first, final, round: next }),
      attachments: first ? view.requestAttachments : [],
      progress: delivered,
    },
  ];
}

/** All messages to a lead agent wake it; a member's broadcast is only read along. */
function leadTurn(view: View, team: TeamState): TurnDecision[] {
  const { config } = view;
  if (!leadIsAgent(config)) return [];
  const queue = messagesOf(team, team.leadQueue);
  const { turns, last } = view.lane(LEAD_LANE);
  if (!leadIsWoken(team) || last?.status === 'in_flight') return [];
  const first = last === null;
  return [
    {
      kind: 'turn',
      lane: LEAD_LANE,
      label: first ? 'lead' : `lead: turn ${turns.length + 1}`,
      agent: {
        profileId: config.lead.agent,
        model: config.lead.agent_config?.model ?? null,
        mode: config.lead.agent_config?.mode ?? null,
        env: config.lead.agent_config?.env ?? {},
      },
      session: { kind: 'own' },
      turn: first ? 'primary' : 'feedback',
      ordinal: turns.length,
      of: turns.length + 1,
      prompt: leadPrompt(view, team, { messages: queue, first }),
      attachments: first ? view.requestAttachments : [],
      progress: (turnId) => [
        {
          type: 'team.delivered',
          activationId: view.activationId,
          to: LEAD,
          messageIds: queue.map((message) => message.id),
          turnId,
          round: null,
          final: false,
        },
      ],
    },
  ];
}
