import { lazyObject } from '@contract/lazy-object';
import { ownValue } from '@contract/own';
import { activationPlaceShape } from '@contract/run/activation/place';
import { type Lanes, laneOfGate, turnsByLane } from '@contract/run/lane/lane-turns';
import { stepDefinition } from '@contract/run/scope/path';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { activationWorks } from '@contract/run/status';
import { z } from 'zod';
import { agentOfLane, LEAD_LANE, memberLane } from './lanes/lanes';
import { teamRests } from './quiescence/quiescence';
import type { MemberState, TeamState } from './state';
import { hasEnded, hasReported, type MemberStatus, memberStatus, memberWords } from './status';

/** A member as on its card, derived only from the run's events. */
const memberRowSchema = lazyObject(() => ({
  name: z.string(),
  profileId: z.string(),
  /** The profile's display name. */
  agent: z.string(),
  model: z.string().nullable(),
  iterative: z.boolean(),
  readOnly: z.boolean(),
  /** Number of files changed during its turns although it is read-only. */
  wrote: z.number().int(),
  word: z.enum(memberWords),
  since: z.number(),
  /** The observed reason. */
  why: z.string(),
  /** When the provider's limit that it waits for ends. */
  until: z.number().nullable(),
  stalled: z.object({ since: z.number(), why: z.string() }).nullable(),
  round: z.number().int(),
  /** It has delivered a round that is not answered yet. */
  delivered: z.boolean(),
  ended: z.boolean(),
  stopping: z.boolean(),
  failed: z.boolean(),
  /** Its work is neither merged nor offered for merging. */
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
}));
export type MemberRow = z.infer<typeof memberRowSchema>;

/** Maximum characters of its last words. */
const LAST_WORDS = 240;

const spentOn = (turns: readonly TurnState[]): { tokens: number; costUsd: number } => {
  let [tokens, costUsd] = [0, 0];
  for (const { usage } of turns) {
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    costUsd += usage?.cost_usd ?? 0;
  }
  return { tokens, costUsd };
};

/** Tokens and money of some turns, for example of a round. */
export const spentIn = (state: RunState, turnIds: readonly number[]): { tokens: number; costUsd: number } =>
  spentOn(turnIds.flatMap((id) => state.turns[id] ?? []));

function branchOf(state: RunState, session: SessionState | undefined): string | null {
  if (session === undefined) return null;
  if (session.workspaceId === null) return state.workspace?.branch ?? null;
  return state.workspaces[session.workspaceId]?.branch ?? null;
}

/** A member's status; once its team has ended, the member has too. */
function statusIn(state: RunState, team: TeamState, member: MemberState): MemberStatus {
  const activation = state.activations[team.activationId];
  if (activation?.status !== 'finished' || hasEnded(member)) return memberStatus(state, team, member);
  return { word: 'stopped', since: activation.finishedAt ?? state.at, why: 'the team has ended' };
}

const OFFERED = new Set(['requested', 'rehearsed', 'confirmed']);

const mergeable = ({ merges }: TeamState, { name, stopped, merged }: MemberState): boolean =>
  stopped !== null &&
  (stopped.frozen !== null || stopped.unread !== undefined) &&
  merged === null &&
  !Object.values(merges).some((merge) => merge.member === name && OFFERED.has(merge.status));

function memberRow(
  state: RunState,
  team: TeamState,
  { member, lanes }: { member: MemberState; lanes: Lanes },
) {
  const lane = memberLane(member.name);
  const turns = lanes.get(lane) ?? [];
  const session = state.sessions[ownValue(state.activations[team.activationId]?.lanes, lane) ?? 0];
  const last = turns.at(-1);
  const round = member.rounds.at(-1);
  const words = member.rounds.findLast(({ result }) => result !== null)?.result?.text.trim() ?? null;
  const { provider, ...shown } = statusIn(state, team, member);
  const ended = hasEnded(member) || state.activations[team.activationId]?.status === 'finished';
  return {
    name: member.name,
    profileId: member.profileId,
    agent: ownValue(state.profiles, member.profileId)?.name ?? member.profileId,
    model: member.model ?? session?.model ?? ownValue(state.profiles, member.profileId)?.model ?? null,
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

/** All members of a team in order of joining. */
export function memberRows(state: RunState, team: TeamState): MemberRow[] {
  const lanes = turnsByLane(state, state.activations[team.activationId]);
  return Object.values(team.members).map((member) => memberRow(state, team, { member, lanes }));
}

export const teamRowSchema = lazyObject(() => ({
  ...activationPlaceShape,
  /** The run's status. */
  status: z.string(),
  /** How the team itself ended; null if it continues, or ended with its run. */
  outcome: z.string().nullable(),
  /** The team still accepts messages. */
  live: z.boolean(),
  /** The lead agent's profile; null: the operator. */
  leadProfile: z.string().nullable(),
  leadWorks: z.boolean(),
  /** A lead agent shows no sign of life. */
  leadStalled: z.object({ since: z.number(), why: z.string() }).nullable(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
  members: z.array(memberRowSchema),
  openGates: z.number().int(),
  /** Number of members that wait for the operator's answer without a gate of their own. */
  waiting: z.number().int(),
  /** Their names. Absent from a core of an earlier version. */
  awaiting: z.array(z.string()).optional(),
  /** Nothing of it works, and only the operator can restart it. */
  rests: z.boolean(),
  tasksDone: z.number().int(),
  tasks: z.number().int(),
  tokens: z.number(),
  costUsd: z.number(),
}));
export type TeamRow = z.infer<typeof teamRowSchema>;

/** The profile of a team's lead from the step's configuration; null if the operator leads. */
export function leadProfileOf(state: RunState, activationId: number): string | null {
  const stepId = state.activations[activationId]?.stepId;
  const lead = stepDefinition(state, stepId ?? '')?.config.lead;
  if (typeof lead !== 'object' || lead === null || Array.isArray(lead)) return null;
  return typeof lead.agent === 'string' ? lead.agent : null;
}

/** Whether the team accepts messages and commands. */
export const teamIsLive = (state: RunState, activationId: number): boolean =>
  state.status === 'running' && state.activations[activationId]?.status === 'running';

type RunFacts = Pick<TeamRow, 'runId' | 'runUid' | 'runName' | 'projectName' | 'status'>;

/** A team's row in the list. */
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
  // A member that waits because it asks is counted by its gate.
  const asking = new Set(gates.map((gate) => agentOfLane(team, laneOfGate(state, gate))));
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
