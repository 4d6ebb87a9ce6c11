import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { MINUTE_MS } from '@contract/time-units';
import { LEAD, type MemberSpec, memberNameSchema, OPERATOR } from '../../contract/events';
import { blankMember } from '../../contract/reduce/members';
import type { MemberState, TeamState } from '../../contract/state';
import { cleanupHeldBy, hasEnded, hasReported, openPermission, unmergedOf } from '../../contract/status';
import { joinEvents } from '../base/member-events';
import { leadIsAgent } from '../config';
import { iterativeSection } from '../messages/prompts';
import {
  findMember,
  findProfile,
  refuse,
  reply,
  statusOf,
  type ToolContext,
  type ToolResult,
} from './context';
import { messageEvent } from './messages';
import { claimFor } from './tasks';

interface SpawnInput {
  readonly name: string;
  readonly agent: string;
  readonly prompt: string;
  readonly iterative?: boolean | undefined;
  readonly idle_timeout_minutes?: number | undefined;
  readonly worktree?: boolean | undefined;
  readonly read_only?: boolean | undefined;
  readonly plan_approval?: boolean | undefined;
  readonly model?: string | undefined;
  readonly claim_task?: number | undefined;
}

/** `team_spawn` of seed 003, with `iterative`. */
export function spawn(context: ToolContext, input: SpawnInput): ToolResult {
  const { team, config, caller } = context;
  if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead spawns members');
  if (team.cleanedUp !== null)
    return refuse(
      'team.not_allowed',
      'the team is ending: no member joins it any more',
      'start another team',
    );
  const name = memberNameSchema.safeParse(input.name);
  if (!name.success)
    return refuse(
      'validation.config',
      `the name "${input.name}" cannot be used: ${name.error.issues[0]?.message ?? ''}`,
    );
  const taken = Object.keys(team.members).find((one) => one.toLowerCase() === name.data.toLowerCase());
  if (taken !== undefined)
    return refuse(
      'team.name_taken',
      `there is a member "${taken}" already`,
      takenMend(ownValue(team.members, taken)),
    );
  const found = findProfile(context, input.agent);
  if (!found.ok) return found;
  const profile = found.value;
  const active = Object.values(team.members).filter((member) => !hasEnded(member));
  if (active.length >= config.max_members)
    return refuse('team.limit', `${active.length} members are at work; that is the most`);
  if (input.prompt.trim() === '') return refuse('validation.config', 'the prompt is empty');
  const claimed =
    input.claim_task === undefined ? null : claimFor(context, { taskId: input.claim_task, owner: name.data });
  if (claimed?.ok === false) return claimed;
  const readOnly = input.read_only === true || profile.read_only;
  const member = {
    name: name.data,
    profileId: profile.id,
    model: input.model ?? null,
    prompt: input.prompt.trim(),
    iterative: input.iterative === true,
    readOnly,
    worktree: (input.worktree ?? true) && !readOnly,
    planApproval: input.plan_approval === true,
    idleMinutes: input.idle_timeout_minutes ?? null,
  };
  const events = [
    ...joinEvents({ activationId: team.activationId, member, by: caller.name }, team.last.message + 1),
    ...(claimed?.value.events ?? []),
    ...memberFacts(context, member),
  ];
  const mode = member.iterative
    ? `iterative; it is parked after ${member.idleMinutes ?? config.idle_minutes} minutes without an answer`
    : 'one-shot';
  const section = caller.role === 'lead' ? iterativeMode(context, member) : '';
  const task = claimed === null ? '' : ` It has task ${input.claim_task}.`;
  return reply(`${member.name} is starting (${profile.name}, ${mode}).${task}${section}`, events);
}

/** Suggests only what would not be refused in turn. */
function takenMend(member: MemberState | undefined): string {
  if (member === undefined || hasEnded(member) || hasReported(member)) return 'choose another name';
  return 'choose another name, or write to it';
}

/** The lead's text about iterative members, when the new one is the first of them. */
function iterativeMode({ team, state }: ToolContext, member: MemberSpec): string {
  const others = Object.values(team.members).some((one) => one.iterative && !hasEnded(one));
  if (!member.iterative || others) return '';
  const joined: MemberState = { ...blankMember, ...member, addedAt: 0, by: LEAD };
  const members = { ...team.members, [member.name]: joined };
  return `\n\n${iterativeSection((id) => ownValue(state.prompted, id) ?? null, { ...team, members })}`;
}

/** Tells a lead agent about a member that the operator has added. */
function memberFacts(context: ToolContext, member: MemberSpec): RunEvent[] {
  if (context.caller.role !== 'operator' || !leadIsAgent(context.config)) return [];
  const mode = member.iterative ? 'iterative' : 'one-shot';
  const text = `The user has added ${member.name} (${member.profileId}, ${mode}) to the team and given it its task.`;
  return [noticeToLead(context, `${text}${iterativeMode(context, member)}`, 1)];
}

const noticeToLead = (context: ToolContext, text: string, after = 0): RunEvent => ({
  ...(messageEvent(context, { to: [LEAD], kind: 'notice', text }, after) as RunEventOf<'team.message'>),
  from: 'muster',
});

/** `team_status`: each member's status, since when and why. */
export function status(context: ToolContext): ToolResult {
  const { team, now } = context;
  const members = Object.values(team.members).map((member) => {
    const { word, since, why, provider } = statusOf(context, member);
    const minutes = Math.max(0, Math.round((now - since) / MINUTE_MS));
    const left = Math.max(1, Math.ceil(((provider?.until ?? now) - now) / MINUTE_MS));
    const ends = provider?.until == null ? '' : ` in ${left} min`;
    const flag = member.stalled === null ? '' : `; STALLED: ${member.stalled.why}`;
    const waiting = hasReported(member) ? 0 : member.queue.length;
    const queued = waiting === 0 ? '' : `; ${waiting === 1 ? '1 message waits' : `${waiting} messages wait`}`;
    return `- ${member.name}${member.iterative ? ' (iterative)' : ''}: ${word}, ${minutes} min: ${why}${ends}; round ${member.rounds.length}${queued}${flag}`;
  });
  const tasks = Object.values(team.tasks);
  const done = tasks.filter((task) => task.status === 'completed').length;
  const board = tasks.length === 0 ? '' : `\nTasks: ${done} of ${tasks.length} completed.`;
  return reply(`${members.length === 0 ? 'No members yet.' : members.join('\n')}${board}`);
}

/** A lead cannot end an iterative member that the operator has not released (SPEC "Teams"). */
function notReleased({ caller }: ToolContext, member: MemberState): boolean {
  return caller.role !== 'operator' && member.iterative && member.released === null && !hasEnded(member);
}

const refuseUnreleased = (member: MemberState, what: string): ToolResult =>
  refuse(
    'team.not_released',
    `${member.name} is iterative and the operator has not released it: it cannot be ${what}`,
    `relay its results to the user; only their "I'm satisfied with ${member.name}" or "shut down ${member.name}" releases it`,
  );

interface ShutdownInput {
  readonly member: string;
  readonly force?: boolean | undefined;
}

/**
 * `team_shutdown`: one finishing turn for an iterative member, else at the end of its turn; immediately by
 * force.
 */
export function shutdown(context: ToolContext, { member: name, force }: ShutdownInput): ToolResult {
  const { team, caller } = context;
  if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead shuts members down');
  const found = findMember(context, name);
  if (!found.ok) return found;
  const member = found.value;
  if (hasEnded(member)) return reply(`${member.name} has ended already.`);
  if (notReleased(context, member)) return refuseUnreleased(member, 'shut down');
  const waits = force === true ? '' : waitsForAnswer(context, member);
  if (member.stopping !== null && force !== true) return reply(`${member.name} is stopping already.${waits}`);
  const release: RunEvent[] =
    caller.role === 'operator' && member.released === null && member.iterative
      ? [
          releaseEvent({
            activationId: team.activationId,
            member: member.name,
            how: 'shutdown',
            words: null,
          }),
        ]
      : [];
  const notices =
    caller.role === 'operator' && leadIsAgent(context.config) && member.stopping === null
      ? [noticeToLead(context, `The user has shut down ${member.name}${force === true ? ' at once' : ''}.`)]
      : [];
  return reply(`${member.name} is asked to stop.${waits}`, [
    ...release,
    {
      type: 'team.stopping',
      activationId: team.activationId,
      member: member.name,
      by: caller.name,
      force: force === true,
    },
    ...notices,
  ]);
}

/** A turn with an open permission gate does not end before the answer. */
function waitsForAnswer({ state, team, caller }: ToolContext, member: MemberState): string {
  const gate = openPermission(state, team, member);
  if (gate === undefined) return '';
  const whose = caller.role === 'operator' ? 'your' : "the user's";
  return ` It waits for ${whose} answer to "${gate.title}". By force it stops at once, and the question is withdrawn.`;
}

type Released = Extract<RunEvent, { type: 'team.released' }>;
const releaseEvent = (of: Omit<Released, 'type' | 'by'>): RunEvent => ({
  type: 'team.released',
  ...of,
  by: OPERATOR,
});

/** Accepting a member's work completes its claimed tasks. */
const acceptedTasks = ({ activationId, tasks }: TeamState, member: string) =>
  Object.values(tasks).flatMap(({ id: taskId, owner, status }) =>
    owner === member && status === 'in_progress'
      ? [{ type: 'team.task-completed' as const, activationId, taskId, by: OPERATOR }]
      : [],
  );

/**
 * The operator is satisfied with a member: it is released, has its last round, and stops. The lead is told.
 */
export function satisfied(
  context: ToolContext,
  input: { readonly member: string; readonly how: 'satisfied' | 'shutdown'; readonly words: string | null },
): ToolResult {
  const { team, caller, config } = context;
  if (caller.role !== 'operator') return refuse('team.not_allowed', 'only the operator is satisfied');
  const found = findMember(context, input.member);
  if (!found.ok) return found;
  const member = found.value;
  if (hasEnded(member)) return reply(`${member.name} has ended already.`);
  if (member.stopping !== null) return reply(`${member.name} is stopping already.`);
  const action =
    input.how === 'satisfied' ? `is satisfied with ${member.name}` : `has shut down ${member.name}`;
  const notice: RunEvent[] = leadIsAgent(config)
    ? [
        noticeToLead(
          context,
          `The user ${action}. It has its last round and then stops; its merge is offered to the user.`,
        ),
      ]
    : [];
  const tasks = input.how === 'satisfied' ? acceptedTasks(team, member.name) : [];
  const done = tasks.length === 0 ? '' : ` Completed: task ${tasks.map(({ taskId }) => taskId).join(', ')}.`;
  return reply(`${member.name} has its last round.${done}`, [
    ...tasks,
    releaseEvent({
      activationId: team.activationId,
      member: member.name,
      how: input.how,
      words: input.words,
    }),
    {
      type: 'team.stopping',
      activationId: team.activationId,
      member: member.name,
      by: OPERATOR,
      force: false,
    },
    ...notice,
  ]);
}

/** `team_merge`: requests the merge; the operator decides at its gate. */
export function merge(context: ToolContext, { member: name }: { readonly member: string }): ToolResult {
  const { team, caller } = context;
  if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead merges');
  const found = findMember(context, name);
  if (!found.ok) return found;
  const member = found.value;
  if (notReleased(context, member)) return refuseUnreleased(member, 'merged');
  if (member.merged !== null) return reply(`${member.name} is merged already.`);
  if (member.stopped === null)
    return refuse('team.not_allowed', `${member.name} has not stopped`, 'shut it down first');
  if (member.stopped.frozen === null && member.stopped.unread === undefined)
    return reply(`${member.name} changed nothing: there is nothing to merge.`);
  const open = Object.values(team.merges).find(
    (one) => one.member === member.name && ['requested', 'rehearsed', 'confirmed'].includes(one.status),
  );
  if (open !== undefined) return reply(`The merge of ${member.name} waits for the operator already.`);
  return reply(`The merge of ${member.name} is offered to the operator.`, [
    {
      type: 'team.merge-requested',
      activationId: team.activationId,
      mergeId: team.last.merge + 1,
      member: member.name,
      by: caller.name,
    },
  ]);
}

/** `team_cleanup`: refused with the names of those who block it (SPEC "Teams"). */
export function cleanup(context: ToolContext): ToolResult {
  const { state, team, caller } = context;
  if (caller.role === 'member') return refuse('team.not_allowed', 'only the lead cleans up');
  const unmerged = unmergedOf(team);
  const ending = unmerged.length === 0 ? '' : ` It ends when the merge of ${unmerged.join(', ')} is decided.`;
  if (team.cleanedUp !== null) return reply(`The team is cleaned up already.${ending}`);
  const holding = cleanupHeldBy(state, team).map(({ why }) => why);
  if (holding.length > 0)
    return refuse('team.cleanup_refused', `the team cannot be cleaned up yet: ${holding.join('; ')}`);
  return reply(`The team is cleaned up.${ending}`, [
    { type: 'team.cleaned-up', activationId: team.activationId, by: caller.name },
  ]);
}
