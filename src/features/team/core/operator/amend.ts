import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import type { GateState } from '@contract/run/state';
import { OPERATOR } from '../../contract/events';
import { type TeamKey, teamKey } from '../../contract/keys';
import { memberLane } from '../../contract/lanes/lanes';
import { takesOf } from '../../contract/merges/conflict-resolutions';
import type { MemberState, MergeState, TeamMessage } from '../../contract/state';
import { mergeKey } from '../gates/gates';
import type { ToolContext, ToolReply } from '../tools';
import { findMember, findProfile } from '../tools/context';
import { tooLong } from '../tools/messages';

const done = (text: string, ...events: RunEvent[]): Result<ToolReply> => ok({ events, text });

/** A message of the operator's that someone has yet to receive, or why it cannot be changed any more. */
function waiting({ team }: ToolContext, messageId: number): Result<TeamMessage> {
  const message = team.messages[messageId];
  if (message === undefined) return fail('not_found', `there is no message ${messageId}`);
  if (message.from !== OPERATOR) return fail('team.not_allowed', 'only your own messages can be changed');
  const queued = Object.values(message.deliveries).some(({ state }) => state === 'queued');
  if (queued) return ok(message);
  const mend = 'send another message';
  return fail('conflict', 'the message was already delivered', { mend });
}

export function editMessage(
  context: ToolContext,
  { messageId, text }: { readonly messageId: number; readonly text: string },
): Result<ToolReply> {
  const message = waiting(context, messageId);
  if (!message.ok) return message;
  const long = tooLong(text);
  if (long !== null) return long;
  const { activationId } = context.team;
  return done('Changed.', { type: 'team.message-edited', activationId, messageId, text: text.trim() });
}

export function withdrawMessage(context: ToolContext, messageId: number): Result<ToolReply> {
  const message = waiting(context, messageId);
  if (!message.ok) return message;
  const { activationId } = context.team;
  return done('Withdrawn.', { type: 'team.message-withdrawn', activationId, messageId, by: OPERATOR });
}

/** The step's open gate with this key. */
const openGate = ({ state, team }: ToolContext, key: TeamKey): GateState | undefined => {
  const about = teamKey.text(key);
  return Object.values(state.gates).find(
    (gate) => gate.activationId === team.activationId && gate.status === 'open' && gate.about === about,
  );
};

const answer = (gate: GateState, option: string): RunEvent => ({
  type: 'gate.resolved',
  gateId: gate.id,
  answer: { option },
  by: OPERATOR,
});

export interface Restored {
  readonly member: string;
  /** Another agent's id or name. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** Resumes a failed member. If the inbox asks about it, this is the answer. */
export function restore(context: ToolContext, wish: Restored): Result<ToolReply> {
  const found = findMember(context, wish.member);
  if (!found.ok) return found;
  const { failed, name: member } = found.value;
  if (failed === null) return fail('conflict', `${member} has not failed`);
  if (wish.agent !== undefined || wish.model !== undefined) return replace(context, found.value, wish);
  const gate = openGate(context, ['team.failed', member, failed.at]);
  const { activationId } = context.team;
  const restored: RunEvent = {
    type: 'lane.restored',
    activationId,
    lane: memberLane(member),
    by: OPERATOR,
  };
  return done(`${member} resumes.`, gate === undefined ? restored : answer(gate, 'restore'));
}

/** Another agent or model continues in the member's lane: in its folder, with the earlier conversation. */
function replace(context: ToolContext, member: MemberState, { agent, model }: Restored): Result<ToolReply> {
  const { state, team } = context;
  const { activationId } = team;
  const found = findProfile(context, agent ?? member.profileId);
  if (!found.ok) return found;
  const profile = found.value;
  const lane = memberLane(member.name);
  const session = state.sessions[ownValue(state.activations[activationId]?.lanes, lane) ?? 0];
  if (session?.turnIds.some((id) => state.turns[id]?.status === 'in_flight') === true)
    return fail('conflict', `${member.name} still answers what you said in its session`, {
      mend: 'wait for its answer, or end that turn',
    });
  const chosen = model ?? (agent === undefined ? member.model : null) ?? profile.model ?? null;
  const gate = openGate(context, ['team.failed', member.name, member.failed?.at ?? 0]);
  const reason = 'Another agent goes on in its place.';
  return done(
    `${member.name} resumes with ${profile.name}${chosen === null ? '' : `, ${chosen}`}.`,
    ...(session?.status === 'ready' ? [{ type: 'session.closed' as const, sessionId: session.id }] : []),
    {
      type: 'lane.restored',
      activationId,
      lane,
      by: OPERATOR,
      agent: { profileId: profile.id, model: chosen, mode: profile.mode ?? null },
    },
    ...(gate === undefined ? [] : [{ type: 'gate.withdrawn' as const, gateId: gate.id, reason }]),
  );
}

type Choices = RunEventOf<'team.merge-confirmed'>['choices'];

/** Why the choices do not resolve a merge; null if they do. */
function unsettled({ id, status, rehearsal }: MergeState, choices: Choices): AppError | null {
  if (status !== 'rehearsed' || rehearsal === null)
    return appError('conflict', `merge ${id} is ${status}: it is not waiting for you`);
  const open = rehearsal.conflicts.filter(({ path }) => ownValue(choices, path) === undefined);
  if (open.length > 0) {
    const paths = open.map(({ path }) => path).join(', ');
    return appError('input.invalid', `not resolved yet: ${paths}`, {
      mend: 'take ours, theirs, both, or write it by hand',
    });
  }
  const wrong = rehearsal.conflicts.find(
    (one) => !takesOf(one).includes(ownValue(choices, one.path)?.take ?? 'ours'),
  );
  if (wrong !== undefined)
    return appError('input.invalid', `${wrong.path} is not a text that is shown in full`, {
      mend: `take one of: ${takesOf(wrong).join(', ')}`,
    });
  const empty = Object.entries(choices).find(
    ([, { take, text }]) => take === 'by_hand' && text === undefined,
  );
  return empty === undefined ? null : appError('input.invalid', `the text of ${empty[0]} is missing`);
}

/** The operator confirms a merge, with a choice for each file in conflict. */
export function confirmMerge(
  context: ToolContext,
  { mergeId, choices }: { readonly mergeId: number; readonly choices: Choices },
): Result<ToolReply> {
  const merge = context.team.merges[mergeId];
  if (merge === undefined) return fail('not_found', `there is no merge ${mergeId}`);
  const refused = unsettled(merge, choices);
  if (refused !== null) return err(refused);
  const gate = openGate(context, mergeKey(merge));
  const text = `The work of ${merge.member} is being merged.`;
  if (gate?.options.some(({ id }) => id === 'merge') === true) return done(text, answer(gate, 'merge'));
  const { activationId } = context.team;
  const confirmed: RunEvent = {
    type: 'team.merge-confirmed',
    activationId,
    mergeId,
    choices,
    by: OPERATOR,
  };
  if (gate === undefined) return done(text, confirmed);
  const reason = 'Decided file by file in the chat of the team.';
  return done(text, confirmed, { type: 'gate.withdrawn', gateId: gate.id, reason });
}

export function declineMerge(context: ToolContext, mergeId: number): Result<ToolReply> {
  const merge = context.team.merges[mergeId];
  if (merge === undefined) return fail('not_found', `there is no merge ${mergeId}`);
  if (!['requested', 'rehearsed', 'failed'].includes(merge.status))
    return fail('conflict', `merge ${mergeId} is ${merge.status}`);
  const gate = openGate(context, mergeKey(merge));
  const text = `The branch of ${merge.member} stays as it is.`;
  const { activationId } = context.team;
  if (gate !== undefined) return done(text, answer(gate, 'decline'));
  return done(text, { type: 'team.merge-declined', activationId, mergeId, by: OPERATOR });
}

/** Takes a task from its owner. */
export function freeTask({ team }: ToolContext, taskId: number): Result<ToolReply> {
  const task = team.tasks[taskId];
  if (task === undefined) return fail('team.task_unknown', `there is no task ${taskId}`);
  if (task.status !== 'in_progress')
    return fail('conflict', `task ${taskId} is ${task.status.replace('_', ' ')}`);
  const { activationId } = team;
  const reason = 'taken back by the operator';
  return done(`Task ${taskId} is free again.`, { type: 'team.task-freed', activationId, taskId, reason });
}
