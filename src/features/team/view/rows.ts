import type { ListRow } from '@renderer/ui/lists/list';
import { LEAD } from '../contract/events';
import type { MemberRow, TeamRow } from '../contract/summary';
import { ALL } from './place';
import { memberWord } from './words';

/** A list row: a heading, a team (its chat of all), or a thread of the open team. */
export type TeamListRow = ListRow &
  (
    | { readonly kind: 'heading'; readonly text: string }
    | { readonly kind: 'team'; readonly team: TeamRow }
    | { readonly kind: 'lead'; readonly team: TeamRow }
    | { readonly kind: 'member'; readonly team: TeamRow; readonly member: MemberRow }
  );

const HEADING = 28;
const TEAM = 52;
const THREAD = 28;

export const keyOfThread = (team: Pick<TeamRow, 'runId' | 'activationId'>, thread: string): string =>
  `${team.runId}/${team.activationId}/${thread}`;

/** The team of an address: of its activation, else the first of its run. */
export const teamAt = (
  teams: readonly TeamRow[],
  at: { readonly runId: number; readonly activationId: number | null } | null,
): TeamRow | null =>
  teams.find(
    (team) => team.runId === at?.runId && (at.activationId === null || team.activationId === at.activationId),
  ) ?? null;

/** Teams newest first, ended ones at the bottom; the open team with its threads. */
export function teamRows(teams: readonly TeamRow[], open: TeamRow | null, search: string): TeamListRow[] {
  const wanted = search.trim().toLowerCase();
  const fits = (team: TeamRow): boolean =>
    [team.title, team.runName, team.projectName, ...team.members.map(({ name }) => name)].some((text) =>
      text.toLowerCase().includes(wanted),
    );
  const found = teams.filter(fits);
  const rows = (of: readonly TeamRow[]) => of.flatMap((team) => rowsOf(team, team === open));
  const ended = found.filter((team) => !team.live);
  const heading: TeamListRow = {
    key: 'ended',
    height: HEADING,
    heading: true,
    kind: 'heading',
    text: 'Ended',
  };
  return [...rows(found.filter((team) => team.live)), ...(ended.length > 0 ? [heading] : []), ...rows(ended)];
}

function rowsOf(team: TeamRow, open: boolean): TeamListRow[] {
  const head: TeamListRow = { key: keyOfThread(team, ALL), height: TEAM, kind: 'team', team };
  if (!open) return [head];
  const lead: TeamListRow[] =
    team.leadProfile === null ? [] : [{ key: keyOfThread(team, LEAD), height: THREAD, kind: 'lead', team }];
  const members = team.members.map(
    (member): TeamListRow => ({
      key: keyOfThread(team, member.name),
      height: THREAD,
      kind: 'member',
      team,
      member,
    }),
  );
  return [head, ...lead, ...members];
}

/** The members whose name, agent or status has these words. */
export function membersMatching(members: readonly MemberRow[], search: string): readonly MemberRow[] {
  const wanted = search.trim().toLowerCase();
  return members.filter(({ name, agent, word }) =>
    [name, agent, memberWord[word].word].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** The thread that a list row opens. */
export function threadOfRow(row: TeamListRow): string | null {
  if (row.kind === 'heading') return null;
  if (row.kind === 'member') return row.member.name;
  return row.kind === 'lead' ? LEAD : ALL;
}
