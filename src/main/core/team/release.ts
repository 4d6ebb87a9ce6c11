/** What the operator's words mean for a member: release it, or ask whether that is meant. */
export interface ReleaseWords {
  readonly member: string;
  readonly how: 'satisfied' | 'shutdown';
  /** The words stand in another way than SPEC names: Muster asks with one key. */
  readonly sure: boolean;
}

const plain = (text: string): string => text.replace(/[’‘`´]/g, "'").replace(/[“”]/g, '"');
const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What may stand before the words without changing them: "Perfect. ", "Ok, great - ", "@S1 ". */
const LEAD_IN =
  /^(?:(?:perfect|great|good|nice|ok|okay|yes|thanks|thank you|all right|alright|excellent|wonderful|and|now|then|so|@\S+|looks good|lead)[\s,;:!.\-–—]*)*/i;

const SATISFIED = /\bi(?:'m| am) satisfied\b/i;
const SHUT_DOWN = /\bshut\s*down\b/i;
const DONE = /\byou(?:'re| are) done\b/i;
const ANY = /\bsatisfied\b|\bshut(?:ting)?\s*down\b|\byou(?:'re| are) done\b/i;
const sentences = (text: string): string[] =>
  plain(text)
    .split(/(?<=[.!?\n])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/**
 * Reads the operator's release of members: `I'm satisfied with NAME` or `shut down NAME`, and to the member itself
 * `I'm satisfied` or `you're done`, in any case and not negated (SPEC "Teams"). The sentence must be that and nothing
 * else; where such words stand in another way, the answer is not sure.
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
    if (!ANY.test(sentence)) continue;
    const clean = cleanRelease(sentence, about);
    if (clean.length > 0) found.push(...clean);
    else found.push(...doubtful(sentence, about));
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

function cleanRelease(sentence: string, { members, to }: About): ReleaseWords[] {
  const rest = sentence.replace(LEAD_IN, '').replace(/[.!\s]+$/, '');
  for (const member of members) {
    const name = `@?${escaped(member)}`;
    if (new RegExp(`^i(?:'m| am) satisfied with ${name}(?: now)?$`, 'i').test(rest))
      return [{ member, how: 'satisfied', sure: true }];
    if (new RegExp(`^(?:please )?shut\\s*down ${name}(?: now| please)?$`, 'i').test(rest))
      return [{ member, how: 'shutdown', sure: true }];
  }
  if (to === null) return [];
  if (/^i(?:'m| am) satisfied(?: (?:now|with (?:this|this one|it|you|that|your work)))?$/i.test(rest))
    return [{ member: to, how: 'satisfied', sure: true }];
  if (/^you(?:'re| are) done(?: now)?$/i.test(rest)) return [{ member: to, how: 'satisfied', sure: true }];
  return [];
}

function doubtful(sentence: string, { members, to, only = null }: About): ReleaseWords[] {
  const named = members.filter((member) =>
    new RegExp(`(?<![A-Za-z0-9-])${escaped(member)}(?![A-Za-z0-9-])`, 'i').test(sentence),
  );
  const alone = to ?? only;
  const meant = named.length > 0 ? named : alone === null ? [] : [alone];
  const how =
    SHUT_DOWN.test(sentence) && !SATISFIED.test(sentence) && !DONE.test(sentence) ? 'shutdown' : 'satisfied';
  return meant.map((member) => ({ member, how, sure: false }));
}
