import { LEAD } from '../../contract/events';
import { addressOf } from '../../contract/messages/address';
import type { ReleaseWords } from '../../contract/messages/release';
import type { MemberRow } from '../../contract/summary';

/** A text's addressee: `@name` or `NAME:` at its start overrides the thread. */
interface Addressee {
  /** Null: the lead agent, or all if the operator leads. */
  readonly to: string | null;
  /** An unknown `@name`. */
  readonly unknown: string | null;
}

export function addresseeOf(text: string, thread: string | null, names: readonly string[]): Addressee {
  const named = addressOf(text, names)?.name;
  if (named === undefined) return { to: thread, unknown: null };
  const known = [LEAD, ...names].find((name) => name.toLowerCase() === named.toLowerCase());
  return known === undefined ? { to: null, unknown: named } : { to: known, unknown: null };
}

/** The text without the address. */
export const withoutAddress = (text: string, names: readonly string[]): string =>
  (addressOf(`${text} `, names)?.rest ?? text).trim();

/** The text addressed to a member, replacing any earlier address. */
export const addressedTo = (text: string, name: string): string =>
  `@${name} ${text.replace(/^\s*@[A-Za-z0-9-]+[\s,:;]*/, '')}`;

export interface Completion {
  /** Position of the `@`. */
  readonly from: number;
  readonly names: readonly string[];
}

const MOST_NAMES = 8;

/** The names that complete the word before the caret; null if it is no name. */
export function completionAt(text: string, caret: number, names: readonly string[]): Completion | null {
  const begun = /(^|\s)@([A-Za-z0-9-]*)$/.exec(text.slice(0, caret));
  if (begun === null) return null;
  const wanted = (begun[2] ?? '').toLowerCase();
  const starts = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const holds = names.filter((name) => !starts.includes(name) && name.toLowerCase().includes(wanted));
  const found = [...starts, ...holds].slice(0, MOST_NAMES);
  if (found.length === 0 || (found.length === 1 && found[0]?.toLowerCase() === wanted)) return null;
  return { from: caret - wanted.length - 1, names: found };
}

/** The text with the completed name, and the caret after it. */
export function complete(
  text: string,
  { from, caret, name }: { from: number; caret: number; name: string },
): { text: string; caret: number } {
  const before = `${text.slice(0, from)}@${name} `;
  return { text: before + text.slice(caret).replace(/^\s/, ''), caret: before.length };
}

export interface Happens {
  readonly can: boolean;
  /** What sending will do, or why it is not possible. */
  readonly text: string;
  /** Its turn could be interrupted for it. */
  readonly busy: boolean;
}

interface Team {
  readonly live: boolean;
  readonly lead: boolean;
  readonly leadWorks: boolean;
  readonly members: readonly MemberRow[];
  /** The members that the words release, or may release. */
  readonly releases: readonly ReleaseWords[];
}

const no = (text: string): Happens => ({ can: false, text, busy: false });

/** What sending the text now will do. */
export function whatHappens(team: Team, { to, unknown }: Addressee): Happens {
  if (!team.live) return no('The team has ended. No more messages are sent.');
  if (unknown !== null) return no(`There is no member “${unknown}”.`);
  const happens = whatDelivers(team, to);
  const released = happens.can ? whatIsReleased(team) : null;
  return released === null ? happens : { ...happens, text: released };
}

function whatDelivers(team: Team, to: string | null): Happens {
  if (to === null && !team.lead)
    return {
      can: true,
      text: 'Note to everyone; starts no round. Begin with @name to start a round.',
      busy: false,
    };
  if (to === null || to === LEAD) return toLead(team);
  const member = team.members.find(({ name }) => name === to);
  if (member === undefined) return no(`There is no member “${to}”.`);
  if (member.ended) return no(`${to} has ended: ${member.why}.`);
  const alsoRead = team.lead ? ' The lead also reads it.' : '';
  if (member.stopping) return { can: true, text: `${to} reads it with its last round.`, busy: false };
  if (member.turnId !== null)
    return { can: true, text: `Queued: ${to} gets it when its turn ends.${alsoRead}`, busy: true };
  const next = member.delivered || member.round === 0 ? member.round + 1 : member.round;
  const begins = member.delivered || member.round === 0 ? 'starts' : 'continues with';
  return { can: true, text: `To ${to}, who ${begins} round ${next} at once.${alsoRead}`, busy: false };
}

/** The effect of releasing words; null if they release no one who is still there. */
function whatIsReleased({ releases, members }: Team): string | null {
  const open = releases.filter(({ member }) =>
    members.some(({ name, ended, stopping }) => name === member && !ended && !stopping),
  );
  const names = (of: readonly ReleaseWords[]) => of.map(({ member }) => member).join(', ');
  const doubtful = open.filter(({ sure }) => !sure);
  if (doubtful.length > 0) return `Muster first asks whether you release ${names(doubtful)}.`;
  return open.length === 0 ? null : `Releases ${names(open)} after one last round.`;
}

function toLead(team: Team): Happens {
  if (!team.lead) return no('You lead this team: write to a member.');
  if (team.leadWorks) return { can: true, text: 'Queued: the lead gets it when its turn ends.', busy: true };
  return { can: true, text: 'To the lead, at once.', busy: false };
}
