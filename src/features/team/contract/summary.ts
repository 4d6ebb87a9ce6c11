import { own } from '@contract/own';
import { activationPlaceShape } from '@contract/run/activation/place';
import { type Lanes, turnsByLane } from '@contract/run/lane-turns';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { activationWorks } from '@contract/run/status';
import { z } from 'zod';
import { gateMember } from './asker';
import { LEAD_LANE, memberLane } from './lanes';
import { teamRests } from './quiescence';
import type { MemberState, TeamState } from './state';
import { hasEnded, hasReported, type MemberStatus, memberStatus, memberWords } from './status';

/** A member as its card shows it: all of it follows from the run's events. */
export const memberRowSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    profileId: z.string(),
    /** The profile's name, for people to read. */
    agent: z.string(),
    model: z.string().nullable(),
    iterative: z.boolean(),
    readOnly: z.boolean(),
    /** Files that changed in its folder during its turns, although it is read-only. */
    wrote: z.number().int(),
    word: z.enum(memberWords),
    since: z.number(),
    /** What was observed to say so. */
    why: z.string(),
    /** When the limit of its provider ends for which it waits. */
    until: z.number().nullable(),
    stalled: z.object({ since: z.number(), why: z.string() }).nullable(),
    round: z.number().int(),
    /** It has delivered a round that no one has answered yet. */
    delivered: z.boolean(),
    ended: z.boolean(),
    stopping: z.boolean(),
    failed: z.boolean(),
    /** It left something that is neither merged nor offered for it. */
    mergeable: z.boolean(),
    branch: z.string().nullable(),
    sessionId: z.number().int().nullable(),
    /** Its turn in flight. */
    turnId: z.number().int().nullable(),
    tokens: z.number(),
    costUsd: z.number(),
    /** Messages queued until its turn ends. */
    queued: z.number().int(),
    lastWords: z.string().nullable(),
  }),
);
export type MemberRow = z.infer<typeof memberRowSchema>;

/** Longer last words are cut. */
const LAST_WORDS = 240;

const spentOn = (turns: readonly TurnState[]): { tokens: number; costUsd: number } => {
  let [tokens, costUsd] = [0, 0];
  for (const { usage } of turns) {
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    costUsd += usage?.cost_usd ?? 0;
  }
  return { tokens, costUsd };
};

/** Tokens and money of some turns, such as those of a round. */
export const spentIn = (state: RunState, turnIds: readonly number[]): { tokens: number; costUsd: number } =>
  spentOn(turnIds.flatMap((id) => state.turns[id] ?? []));

function branchOf(state: RunState, session: SessionState | undefined): string | null {
  if (session === undefined) return null;
  if (session.workspaceId === null) return state.workspace?.branch ?? null;
  return state.workspaces[session.workspaceId]?.branch ?? null;
}

/** What a member is at; with a team that is over it is over too, whatever it was at. */
function statusIn(state: RunState, team: TeamState, member: MemberState): MemberStatus {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'finished' || hasEnded(member)) return memberStatus(state, team, member);
  return { word: 'stopped', since: activation.finishedAt ?? state.at, why: 'the team has ended' };
}

const OFFERED = new Set(['requested', 'rehearsed', 'confirmed']);

const mergeable = ({ merges }: TeamState, { name, stopped, merged }: MemberState): boolean =>
  stopped?.frozen != null &&
  merged === null &&
  !Object.values(merges).some((merge) => merge.member === name && OFFERED.has(merge.status));

function memberRow(
  state: RunState,
  team: TeamState,
  { member, lanes }: { member: MemberState; lanes: Lanes },
) {
  const lane = memberLane(member.name);
  const turns = lanes.get(lane) ?? [];
  const session = state.sessions[own(state.activations[team.activationId]?.lanes, lane) ?? 0];
  const last = turns.at(-1);
  const round = member.rounds.at(-1);
  const words = member.rounds.findLast(({ result }) => result !== null)?.result?.text.trim() ?? null;
  const { provider, ...shown } = statusIn(state, team, member);
  const ended = hasEnded(member) || state.activations[team.activationId]?.status === 'finished';
  return {
    name: member.name,
    profileId: member.profileId,
    agent: own(state.profiles, member.profileId)?.name ?? member.profileId,
    model: member.model ?? session?.model ?? own(state.profiles, member.profileId)?.model ?? null,
    iterative: member.iterative,
    readOnly: member.readOnly,
    wrote: member.readOnly ? turns.reduce((sum, { changes }) => sum + (changes?.files ?? 0), 0) : 0,
    ...shown,
    until: provider?.until ?? null,
    stalled: member.stalled,
    round: member.rounds.length,
    delivered: !ended && member.stopping === null && round !== undefined && round.result !== null,
    ended,
    stopping: member.stopping !== null,
    failed: member.failed !== null,
    mergeable: mergeable(team, member),
    branch: branchOf(state, session),
    sessionId: session?.id ?? null,
    turnId: last?.status === 'in_flight' ? last.id : null,
    ...spentOn(turns),
    queued: ended || hasReported(member) ? 0 : member.queue.length,
    lastWords: words === null ? null : words.slice(0, LAST_WORDS),
  } satisfies MemberRow;
}

/** All members of a team in the order in which they joined. */
export function memberRows(state: RunState, team: TeamState): MemberRow[] {
  const lanes = turnsByLane(state, state.activations[team.activationId]);
  return Object.values(team.members).map((member) => memberRow(state, team, { member, lanes }));
}

export const teamRowSchema = z.lazy(() =>
  z.object({
    ...activationPlaceShape,
    /** The run's one word. */
    status: z.string(),
    /** How the team itself ended; null where it continues, or its run was ended over it. */
    outcome: z.string().nullable(),
    /** The team itself can still be spoken with. */
    live: z.boolean(),
    /** The profile of the agent that leads; null: the operator. */
    leadProfile: z.string().nullable(),
    leadWorks: z.boolean(),
    /** A lead that is an agent shows no sign of life. */
    leadStalled: z.object({ since: z.number(), why: z.string() }).nullable(),
    startedAt: z.number(),
    finishedAt: z.number().nullable(),
    members: z.array(memberRowSchema),
    openGates: z.number().int(),
    /** Members that wait for an answer of the operator, without a question of their own. */
    waiting: z.number().int(),
    /** The names of these members. Absent from a core of an earlier version. */
    awaiting: z.array(z.string()).optional(),
    /** Nothing of it works, and nothing but a word of the operator sets it going again. */
    rests: z.boolean(),
    tasksDone: z.number().int(),
    tasks: z.number().int(),
    tokens: z.number(),
    costUsd: z.number(),
  }),
);
export type TeamRow = z.infer<typeof teamRowSchema>;

/** The profile of a team's lead, as the step's configuration names it; null where the operator leads. */
export function leadProfileOf(state: RunState, activationId: number): string | null {
  const stepId = state.activations[activationId]?.stepId;
  const lead = stepDefinition(state, stepId ?? '')?.config.lead;
  if (typeof lead !== 'object' || lead === null || Array.isArray(lead)) return null;
  return typeof lead.agent === 'string' ? lead.agent : null;
}

/** Whether the team takes words and commands. */
export const teamIsLive = (state: RunState, activationId: number): boolean =>
  state.status === 'running' && state.activations[activationId]?.status === 'running';

type RunFacts = Pick<TeamRow, 'runId' | 'runUid' | 'runName' | 'projectName' | 'status'>;

/** One team as the list shows it. */
export function teamRow(state: RunState, team: TeamState, run: RunFacts): TeamRow {
  const { activationId } = team;
  const activation = state.activations[activationId];
  const step = stepDefinition(state, activation?.stepId ?? '');
  const members = memberRows(state, team);
  const tasks = Object.values(team.tasks);
  const gates = Object.values(state.gates).filter(
    (gate) => gate.activationId === activationId && gate.status === 'open',
  );
  const lead = (turnsByLane(state, activation).get(LEAD_LANE) ?? []).at(-1);
  const live = teamIsLive(state, activationId);
  // A member that waits because it asks is counted by its question.
  const asking = new Set(gates.map((gate) => gateMember(state, team, gate)));
  const waits = members.filter(({ name, word }) => word === 'awaiting_operator' && !asking.has(name));
  return {
    ...run,
    activationId,
    stepId: activation?.stepId ?? '',
    title: step?.title ?? activation?.stepId ?? '',
    projectId: state.projectId,
    outcome: activation?.outcome ?? null,
    live,
    leadProfile: leadProfileOf(state, activationId),
    leadWorks: lead?.status === 'in_flight',
    leadStalled: team.leadStalled,
    startedAt: activation?.startedAt ?? state.startedAt,
    finishedAt: activation?.finishedAt ?? null,
    members,
    openGates: gates.length,
    waiting: live ? waits.length : 0,
    awaiting: live ? waits.map(({ name }) => name) : [],
    rests: live && activation !== undefined && !activationWorks(state, activation) && teamRests(state, team),
    tasksDone: tasks.filter((task) => task.status === 'completed').length,
    tasks: tasks.length,
    ...spentOn((activation?.turnIds ?? []).flatMap((id) => state.turns[id] ?? [])),
  };
}
