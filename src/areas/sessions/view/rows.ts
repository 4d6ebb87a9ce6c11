import { turnTitle } from '@contract/run/turn/turn-title';
import { hashOf } from '@renderer/client/route';
import { clockTime } from '@renderer/client/time';
import {
  observedWords,
  sessionWords,
  stepWords,
  turnWords,
  type Word,
} from '@renderer/parts/words/status-words';
import type { ListRow } from '@renderer/ui/lists/list';
import type { SessionRow, TerminalRow, Workplace } from '../contract/procedures';

/** A row of a run: its heading, a session, or a terminal. */
export type PlaceRow = ListRow & { readonly place: Workplace } & (
    | { readonly kind: 'run' }
    | { readonly kind: 'session'; readonly session: SessionRow }
    | { readonly kind: 'terminal'; readonly terminal: TerminalRow }
  );

const HEADING = 28;
const ROW = 48;

/** Runs newest first; in each the sessions, then the terminals, working ones first. */
export function placeRows(places: readonly Workplace[], search: string): PlaceRow[] {
  const wanted = search.trim().toLowerCase();
  const fits = (...texts: (string | null)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(wanted) === true);
  return places.flatMap((place) => {
    const sessions = place.sessions
      .filter(({ profileId, profileName, agent, status, role, stepTitle, branch }) =>
        fits(place.runName, profileId, profileName, agent, status, role, stepTitle, branch),
      )
      .map((session): PlaceRow => ({ ...keyed(place, `s${session.sessionId}`), kind: 'session', session }));
    const terminals = place.terminals
      .filter(({ title, state }) => fits(place.runName, title, state))
      .map((terminal): PlaceRow => ({ ...keyed(place, terminal.name), kind: 'terminal', terminal }));
    const rows = [...sessions, ...terminals].sort((a, b) => Number(isLive(b)) - Number(isLive(a)));
    const heading: PlaceRow = {
      key: `run/${place.runId}`,
      height: HEADING,
      heading: true,
      kind: 'run',
      place,
    };
    return rows.length === 0 ? [] : [heading, ...rows];
  });
}

const keyed = (place: Workplace, name: string) => ({ key: `${place.runId}/${name}`, height: ROW, place });

function isLive(row: PlaceRow): boolean {
  if (row.kind === 'session') return row.session.working;
  return row.kind === 'terminal' && row.terminal.state === 'running';
}

export function hashOfRow(row: PlaceRow): string {
  if (row.kind === 'session') return hashOf('session', row.place.runId, row.session.sessionId);
  return row.kind === 'terminal'
    ? hashOf('terminal', row.place.runId, row.terminal.name)
    : hashOf('sessions');
}

/** Its current state: an open gate is more precise than a turn, a turn more than the session. */
export function sessionWord(row: SessionRow): Word {
  if (row.openGates > 0 || (row.awaits && !row.working)) return stepWords.waiting;
  if (row.observed !== null) return observedWords[row.observed.state];
  return row.working ? turnWords.in_flight : sessionWords[row.status];
}

/** `Worker`, preceded by the name of the step's agent, if that differs. */
export const sessionTitle = ({ role, profileId, profileName }: Named): string =>
  role === null || role === profileId || role === profileName ? profileName : `${role} · ${profileName}`;

type Named = Pick<SessionRow, 'role' | 'profileId' | 'profileName'>;

/** Its activity, its progress or the reason of its state, in one line. */
export function sessionNote(row: SessionRow): string {
  const { word } = sessionWord(row);
  if (row.lostHost)
    return `Connection to ${row.lostHost.host} lost at ${clockTime(row.lostHost.since)}; work continues there`;
  const turn = row.lastTurn && row.working ? turnTitle(row.lastTurn) : null;
  if (row.observed) return `${word} since ${clockTime(row.observed.since)}: ${row.observed.reason}`;
  // One that waits is needed, whatever parked it.
  const reason =
    (row.openGates > 0 || row.awaits) && ['parked', 'resumable'].includes(row.status) ? null : row.reason;
  const said = turn ?? reason ?? row.stepTitle ?? row.agent;
  return said === null ? word : `${word}: ${said}`;
}
