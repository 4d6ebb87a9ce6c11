const AT = /^@([A-Za-z0-9-]+)[\s,:;]+/;
const PLAIN = /^([A-Za-z0-9-]+):\s+/;

interface Address {
  /** As written: after an `@` it may be no member's name. */
  readonly name: string;
  /** The text after it. */
  readonly rest: string;
}

/**
 * The member addressed at the start of an operator's text: `@name ...`, or a member's name with a colon (`S1:
 * ...`).
 */
export function addressOf(text: string, members: readonly string[]): Address | null {
  const from = text.trimStart();
  const at = AT.exec(from);
  if (at?.[1] !== undefined) return { name: at[1], rest: from.slice(at[0].length) };
  const plain = PLAIN.exec(from);
  const wanted = plain?.[1]?.toLowerCase();
  const name = members.find((member) => member.toLowerCase() === wanted);
  return plain === null || name === undefined ? null : { name, rest: from.slice(plain[0].length) };
}
