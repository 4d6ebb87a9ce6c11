import type { MemberState, TeamState } from './state';
import { hasEnded } from './status';

/** What the operator's words mean for a member: release it, or ask whether that is meant. */
export interface ReleaseWords {
  readonly member: string;
  readonly how: 'satisfied' | 'shutdown';
  /** The words are in another way than SPEC names: Muster asks with one key. */
  readonly sure: boolean;
}

const plain = (text: string): string => text.replace(/[’‘`´]/g, "'").replace(/[“”]/g, '"');
const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What may be before the words without changing them: "Perfect. ", "Ok, great - ", "@S1 ". */
const LEAD_IN =
  /^(?:(?:perfect|great|good|nice|ok|okay|yes|thanks|thank you|all right|alright|excellent|wonderful|and|now|then|so|@\S+|looks good|lead)[\s,;:!.\-–—]*)*/i;

const SATISFIED = /\bi(?:'m| am) satisfied\b/i;
const SHUT_DOWN = /\bshut\s*down\b/i;
const DONE = /\byou(?:'re| are) done\b/i;
const ANY = /\bsatisfied\b|\bshut(?:ting)?\s*down\b|\byou(?:'re| are) done\b/i;

/** Words that may take back, or tie to a condition, what is beside them, or mean more members than they name. */
const UNSURE =
  /\b(?:if|when|once|unless|until|till|after|before|except|provided|assuming|because|first|only|almost|nearly|both|all|every(?:one|body)?|each|either|neither|others?|rest|too|also|as well|likewise|same|it|its|she|he|her|him|his|hers|they|them|their|this|that|these|those|did|does|do|am|i'm)\b/i;
/** What says of the members it names that they continue. */
const GOES_ON =
  /\b(?:go(?:es)? on|going on|continues?|keeps? (?:going|working|on|at)|carr(?:y|ies) on|stays?|waits?|works? on|(?:is|are) not (?:done|finished|ready)|isn't (?:done|finished|ready))\b/i;
/** A later sentence that begins so may take back what was said before it. */
const TAKES_BACK = /^(?:but|however|except|only|unless|wait|not|no|first|actually|although|though|yet)\b/i;

const sentences = (text: string): string[] =>
  plain(text)
    .split(/(?<=[.!?\n])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const JOINTS =
  /\s*[,;:]\s*(?:(?:but|and|while|whereas|though|although|however|yet|then|so)\s+)?|\s+[-–]+\s+|\s*—\s*|\s+(?:but|and|while|whereas|though|although|however|yet)\s+/i;

/** The parts of a sentence, without courtesies. */
const clausesOf = (sentence: string): string[] =>
  stripped(sentence)
    .split(JOINTS)
    .map(stripped)
    .filter((clause) => clause !== '');

const stripped = (words: string): string =>
  words
    .trim()
    .replace(/[.!\s]+$/, '')
    .replace(LEAD_IN, '')
    .replace(/[.!\s]+$/, '');

const namedIn = (words: string, members: readonly string[]): string[] =>
  members.filter((member) =>
    new RegExp(`(?<![A-Za-z0-9-])${escaped(member)}(?![A-Za-z0-9-])`, 'i').test(words),
  );

/**
 * Reads the operator's release of members: `I'm satisfied with NAME` or `shut down NAME`, and to the member itself
 * `I'm satisfied` or `you're done`, in any case and not negated (SPEC "Teams"). A part of a sentence must be that and
 * nothing else, and what is beside it must be about other members; everything else is not sure, and each member it
 * may mean is asked about by itself.
 */
export function readRelease(
  text: string,
  about: {
    readonly members: readonly string[];
    readonly to: string | null;
    /** Whom words without a name can only mean; null where there are several, or none. */
    readonly only?: string | null;
  },
): ReleaseWords[] {
  const found: ReleaseWords[] = [];
  for (const sentence of sentences(text)) {
    if (ANY.test(sentence)) found.push(...inSentence(sentence, about));
    else unsettle(found, sentence, about);
  }
  const first = new Map<string, ReleaseWords>();
  for (const one of found) {
    const known = first.get(one.member);
    // Of several sentences about one member a doubtful one makes the whole doubtful.
    if (known === undefined || (known.sure && !one.sure)) first.set(one.member, one);
  }
  return [...first.values()];
}

type About = Parameters<typeof readRelease>[1];

function inSentence(sentence: string, about: About): ReleaseWords[] {
  const whole = cleanRelease(stripped(sentence), about);
  if (whole !== null) return [whole];
  const clauses = clausesOf(sentence);
  const clean = clauses.flatMap((clause) => cleanRelease(clause, about) ?? []);
  const released = clean.map(({ member }) => member);
  const rest = clauses.filter((clause) => cleanRelease(clause, about) === null);
  return clean.length > 0 && rest.every((clause) => isApart(clause, released, about))
    ? clean
    : doubtful(sentence, clauses, about);
}

/** Whether words are about other members than those released, and certain not to change what is said of these. */
function isApart(clause: string, released: readonly string[], { members }: About): boolean {
  const named = namedIn(clause, members);
  if (named.length === 0 || named.some((name) => released.includes(name))) return false;
  if (ANY.test(clause) || UNSURE.test(clause)) return false;
  // Nothing but names continues with a list: the release may mean them as well.
  const words = named
    .reduce((left, name) => left.replace(new RegExp(`@?${escaped(name)}`, 'gi'), ' '), clause)
    .replace(/\b(?:and|or|with|plus)\b|[^A-Za-z']/gi, ' ');
  return words.trim() !== '';
}

/** A sentence after the release that names its member again, or takes something back, makes it doubtful. */
function unsettle(found: ReleaseWords[], sentence: string, { members }: About): void {
  const named = namedIn(sentence, members);
  const takesBack = TAKES_BACK.test(sentence) && named.length === 0;
  for (const [index, words] of found.entries()) {
    if (takesBack || named.includes(words.member)) found[index] = { ...words, sure: false };
  }
}

function cleanRelease(words: string, { members, to }: About): ReleaseWords | null {
  for (const member of members) {
    const name = `@?${escaped(member)}`;
    const work = "(?:'s? (?:work|result|results|draft|part|round|output))?";
    if (new RegExp(`^i(?:'m| am) satisfied with ${name}${work}(?: now)?$`, 'i').test(words))
      return { member, how: 'satisfied', sure: true };
    if (new RegExp(`^(?:please )?shut\\s*down ${name}(?: now| please)?$`, 'i').test(words))
      return { member, how: 'shutdown', sure: true };
  }
  if (to === null) return null;
  const satisfied = /^i(?:'m| am) satisfied(?: (?:now|with (?:this|this one|it|you|that|your work)))?$/i;
  return satisfied.test(words) || /^you(?:'re| are) done(?: now)?$/i.test(words)
    ? { member: to, how: 'satisfied', sure: true }
    : null;
}

function doubtful(
  sentence: string,
  clauses: readonly string[],
  { members, to, only = null }: About,
): ReleaseWords[] {
  const goOn = clauses.filter((clause) => GOES_ON.test(clause) && !ANY.test(clause));
  const kept = new Set(goOn.flatMap((clause) => namedIn(clause, members)));
  const others = clauses.filter((clause) => !goOn.includes(clause)).join(', ');
  const named = namedIn(sentence, members).filter(
    (name) => !kept.has(name) || namedIn(others, members).includes(name),
  );
  const alone = to ?? only;
  const meant = named.length > 0 ? named : alone === null ? [] : [alone];
  const how =
    SHUT_DOWN.test(sentence) && !SATISFIED.test(sentence) && !DONE.test(sentence) ? 'shutdown' : 'satisfied';
  return meant.map((member) => ({ member, how, sure: false }));
}

/** It has its last round still to come, and reads this with it. */
export const hearsMore = (member: MemberState): boolean =>
  !hasEnded(member) && member.iterative && member.rounds.length > 0;

/** Whom a text of the operator releases in a team, or may release; `to`: whom it is said to. */
export function releasesIn(
  team: TeamState,
  { to, text }: { to: string | null; text: string },
): ReleaseWords[] {
  const members = Object.keys(team.members);
  const open = Object.values(team.members).filter((one) => hearsMore(one) && !one.stopping);
  const [only] = open.length === 1 ? open : [];
  const named = to !== null && members.includes(to) ? to : null;
  return readRelease(text, { members, to: named, only: only?.name ?? null });
}
