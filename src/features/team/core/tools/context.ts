import type { AgentProfile } from '@areas/agents/contract/profile';
import type { AppError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { fail, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { MemberState, TeamState } from '../../contract/state';
import { hasEnded, type MemberStatus, memberStatus } from '../../contract/status';
import type { TeamConfig } from '../config';

/** The caller of a tool. The operator's buttons and words call the same tools. */
export interface Caller {
  readonly role: 'lead' | 'member' | 'operator';
  /** `lead`, `operator`, or the member's name. */
  readonly name: string;
  /** The caller's turn in flight. */
  readonly turnId: number | null;
}

/** Everything that a tool may know. */
export interface ToolContext {
  readonly state: RunState;
  readonly team: TeamState;
  readonly config: TeamConfig;
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A call's events and answer: the events are committed first. */
export interface ToolReply {
  readonly events: readonly RunEvent[];
  readonly text: string;
}

export type ToolResult = Result<ToolReply>;

export const reply = (text: string, events: readonly RunEvent[] = []): ToolResult => ({
  ok: true,
  value: { events, text },
});
export const refuse = (
  code: AppError['code'],
  message: string,
  mend?: string,
): { ok: false; error: AppError } => fail(code, message, mend === undefined ? {} : { mend }) as never;

export const statusOf = ({ state, team }: ToolContext, member: MemberState): MemberStatus =>
  memberStatus(state, team, member);

/** Agents call the operator `user`, unless a member has that name. */
export const isUser = ({ team }: ToolContext, name: string): boolean =>
  name.toLowerCase() === 'user' && !Object.keys(team.members).some((one) => one.toLowerCase() === 'user');

/** The member with that name; else an error with similar names. */
export function findMember({ team }: ToolContext, name: string): Result<MemberState> {
  const exact = ownValue(team.members, name);
  if (exact !== undefined) return { ok: true, value: exact };
  const names = Object.keys(team.members);
  const folded = names.filter((one) => one.toLowerCase() === name.trim().toLowerCase());
  const only = folded.length === 1 ? ownValue(team.members, folded[0] ?? '') : undefined;
  if (only !== undefined) return { ok: true, value: only };
  const near = names
    .map((one) => ({ one, far: distance(one.toLowerCase(), name.trim().toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(2, Math.floor(one.length / 3)))
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one);
  const meant = near.length > 0 ? near : names;
  return refuse(
    'team.unknown_member',
    `there is no member "${name}" in this team`,
    meant.length === 0 ? 'spawn one first' : `did you mean: ${meant.slice(0, 5).join(', ')}?`,
  );
}

/** The run's profile with that id or name. */
export function findProfile({ state }: Pick<ToolContext, 'state'>, name: string): Result<AgentProfile> {
  const profile =
    ownValue(state.profiles, name) ??
    Object.values(state.profiles).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (profile !== undefined) return { ok: true, value: profile };
  const known = Object.keys(state.profiles).join(', ');
  return refuse('validation.profile_unknown', `there is no agent "${name}"`, `use one of: ${known}`);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export function activeMember(context: ToolContext, name: string): Result<MemberState> {
  const found = findMember(context, name);
  if (!found.ok || !hasEnded(found.value)) return found;
  const { word, why } = statusOf(context, found.value);
  return refuse('team.member_ended', `${found.value.name} is ${word}: ${why}`, 'spawn another member');
}
