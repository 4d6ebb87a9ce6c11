import { literalPattern } from '@contract/literal-pattern';
import type { MemberState, TeamState } from '../state';
import { hasEnded } from '../status';

/** What the operator's words mean for a member: release it, or ask whether that is meant. */
export interface ReleaseWords {
  readonly member: string;
  readonly how: 'satisfied' | 'shutdown';
  /** False if the words differ from the forms in SPEC: Muster then asks for confirmation. */
  readonly sure: boolean;
}

const plain = (text: string): string => text.replace(/[’‘`´]/g, "'").replace(/[“”]/g, '"');

/** Harmless words before the release: "Perfect. ", "Ok, great - ", "@S1 ". */
const LEAD_IN =
  /^(?:(?:perfect|great|good|nice|ok|okay|yes|thanks|thank you|all right|alright|excellent|wonderful|and|now|then|so|@\S+|looks good|lead)[\s,;:!.\-–—]*)*/i;

const SATISFIED = /\bi(?:'m| am) satisfied\b/i;
const SHUT_DOWN = /\bshut\s*down\b/i;
const DONE = /\byou(?:'re| are) done\b/i;
const ANY = /\bsatisfied\b|\bshut(?:ting)?\s*down\b|\byou(?:'re| are) done\b/i;

/** What means all members at once, where none is named. */
const EVERYONE = /\b(?:every(?:one|body)|all|the (?:whole )?team)\b/i;
/** Said to no one in particular, this may end the work of all. */
const ALL_DONE = /^(?:we(?:'re| are) )?all done$/i;

/** Words that may negate or condition the release, or mean more members than they name. */
const UNSURE =
  /\b(?:if|when|once|unless|until|till|after|before|except|provided|assuming|because|first|only|almost|nearly|both|all|every(?:one|body)?|each|either|neither|others?|rest|too|also|as well|likewise|same|it|its|she|he|her|him|his|hers|they|them|their|this|that|these|those|did|does|do|am|i'm)\b/i;
/** Words that say that the named members continue. */
const GOES_ON =
  /\b(?:go(?:es)? on|going on|continues?|keeps? (?:going|working|on|at)|carr(?:y|ies) on|stays?|waits?|works? on|(?:is|are) not (?:done|finished|ready)|isn't (?:done|finished|ready))\b/i;
/** A later sentence that starts like this may withdraw the release. */
const TAKES_BACK = /^(?:but|however|except|only|unless|wait|not|no|first|actually|although|though|yet)\b/i;

const sentences = (text: string): string[] =>
  plain(text)
    .split(/(?<=[.!?\n])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

const JOINTS =
  /\s*[,;:]\s*(?:(?:but|and|while|whereas|though|although|however|yet|then|so)\s+)?|\s+[-–]+\s+|\s*—\s*|\s+(?:but|and|while|whereas|though|although|however|yet)\s+/i;

/** A sentence's clauses, without courtesies. */
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
    new RegExp(`(?<![A-Za-z0-9-])${literalPattern(member)}(?![A-Za-z0-9-])`, 'i').test(words),
  );

/**
 * Parses the operator's release of members: `I'm satisfied with NAME` or `shut down NAME`, and to the member
 * itself `I'm satisfied` or `you're done`, ignoring case and not negated (SPEC "Teams"). A clause must
 * contain nothing else, and other clauses must be about other members. Anything else is not `sure`, and each
 * member it may mean is confirmed separately.
 */
export function readRelease(
  text: string,
  about: {
    readonly members: readonly string[];
    readonly to: string | null;
    /** The only member that words without a name can mean; null if there are several, or none. */
    readonly only?: string | null;
    /** The members that words about all of them mean. */
    readonly all?: readonly string[];
  },
): ReleaseWords[] {
  const found: ReleaseWords[] = [];
  for (const sentence of sentences(text)) {
    if (ANY.test(sentence) || (saysToAll(about) && ALL_DONE.test(stripped(sentence))))
      found.push(...inSentence(sentence, about));
    else unsettle(found, sentence, about);
  }
  const first = new Map<string, ReleaseWords>();
  for (const one of found) {
    const known = first.get(one.member);
    // If one of several sentences about a member is doubtful, the whole is.
    if (known === undefined || (known.sure && !one.sure)) first.set(one.member, one);
  }
  return [...first.values()];
}

type About = Parameters<typeof readRelease>[1];

const saysToAll = ({ to, all = [] }: About): boolean => to === null && all.length > 0;

function inSentence(sentence: string, about: About): ReleaseWords[] {
  const fullSentence = cleanRelease(stripped(sentence), about);
  if (fullSentence !== null) return [fullSentence];
  const clauses = clausesOf(sentence);
  const clean = clauses.flatMap((clause) => cleanRelease(clause, about) ?? []);
  const released = clean.map(({ member }) => member);
  const rest = clauses.filter((clause) => cleanRelease(clause, about) === null);
  return clean.length > 0 && rest.every((clause) => isApart(clause, released, about))
    ? clean
    : doubtful(sentence, clauses, about);
}

/**
 * Whether a clause is about other members than the released ones, and certainly does not change their
 * release.
 */
function isApart(clause: string, released: readonly string[], { members }: About): boolean {
  const named = namedIn(clause, members);
  if (named.length === 0 || named.some((name) => released.includes(name))) return false;
  if (ANY.test(clause) || UNSURE.test(clause)) return false;
  // A clause of only names continues a list: the release may mean them too.
  const words = named
    .reduce((left, name) => left.replace(new RegExp(`@?${literalPattern(name)}`, 'gi'), ' '), clause)
    .replace(/\b(?:and|or|with|plus)\b|[^A-Za-z']/gi, ' ');
  return words.trim() !== '';
}

/** A sentence after the release that names its member again, or withdraws something, makes it doubtful. */
function unsettle(found: ReleaseWords[], sentence: string, { members }: About): void {
  const named = namedIn(sentence, members);
  const takesBack = TAKES_BACK.test(sentence) && named.length === 0;
  for (const [index, words] of found.entries()) {
    if (takesBack || named.includes(words.member)) found[index] = { ...words, sure: false };
  }
}

function cleanRelease(words: string, { members, to }: About): ReleaseWords | null {
  for (const member of members) {
    const name = `@?${literalPattern(member)}`;
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
  { members, to, only = null, all = [] }: About,
): ReleaseWords[] {
  const goOn = clauses.filter((clause) => GOES_ON.test(clause) && !ANY.test(clause));
  const kept = new Set(goOn.flatMap((clause) => namedIn(clause, members)));
  const others = clauses.filter((clause) => !goOn.includes(clause)).join(', ');
  const named = namedIn(sentence, members).filter(
    (name) => !kept.has(name) || namedIn(others, members).includes(name),
  );
  const alone = to ?? only;
  const unnamed = EVERYONE.test(sentence) ? all : [];
  const meant = named.length > 0 ? named : alone === null ? unnamed : [alone];
  const how =
    SHUT_DOWN.test(sentence) && !SATISFIED.test(sentence) && !DONE.test(sentence) ? 'shutdown' : 'satisfied';
  return meant.map((member) => ({ member, how, sure: false }));
}

/** Its last round is still to come, in which it will read this. */
export const takesMessages = (member: MemberState): boolean =>
  !hasEnded(member) && member.iterative && member.rounds.length > 0;

/** The members that an operator's text releases, or may release; `to`: its addressee. */
export function releasesIn(
  team: TeamState,
  { to, text }: { to: string | null; text: string },
): ReleaseWords[] {
  const members = Object.keys(team.members);
  const open = Object.values(team.members).filter((one) => takesMessages(one) && !one.stopping);
  const [only] = open.length === 1 ? open : [];
  const named = to !== null && members.includes(to) ? to : null;
  // What is said to a lead is the lead's to act on.
  const all = to === null ? open.map(({ name }) => name) : [];
  return readRelease(text, { members, to: named, only: only?.name ?? null, all });
}
