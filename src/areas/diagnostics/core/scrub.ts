import { errorCodeSchema } from '@contract/errors';

/*
 * Takes everything out of a text that could be a secret, a path or a name. What remains is what is known to
 * be harmless: plain words, small numbers, known codes, and places in Muster's own code. Anything else is
 * masked, so a form of secret that no one thought of is masked as well.
 */

const MASK = '***';

/** Longer ones may be several words without spaces: a passphrase. */
const WORD = /^[A-Za-z]?[a-z]{0,17}(?:[’'-][a-z]{1,10})?$/;
const NUMBER = /^-?\d{1,7}(?:\.\d{1,3})?(?:ms|s|%)?$/;
const VERSION = /^\d{1,3}\.\d{1,3}\.\d{1,3}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
/** Of Node, SQLite and POSIX. */
const SYSTEM_CODE = /^(?:E[A-Z]{2,14}|ERR_[A-Z_]{3,40}|SQLITE_[A-Z_]{3,30}|SIG[A-Z]{2,5})$/;
const ERROR_NAME = /^[A-Z][a-z]{2,12}(?:Error|Fault)$/;

/** What follows one of these is a secret, even if it looks like a word. */
const ANNOUNCES =
  /^(?:pass(?:word|phrase|wd|code)?|pwd|pin|secrets?|tokens?|keys?|apikey|bearer|basic|authorization|cookies?|credentials?|login|user(?:name)?)$/i;
const ANNOUNCED_WORDS = 2;

const QUOTED = /"[^"]*"|“[^”]*”|`[^`]*`|(?<=^|[\s(=:[])'[^']*'(?=$|[\s).,;:\]])/g;
const FRAME =
  /^\s*at (?:(?:async |new )?([A-Za-z_$#.<>]{1,60}) )?\(?\S*?([\w-]{1,40}\.(?:c?js|mjs)):(\d+):(\d+)\)?$/;

const isHarmless = (token: string): boolean =>
  [WORD, NUMBER, VERSION, TIME, SYSTEM_CODE, ERROR_NAME].some((form) => form.test(token)) ||
  errorCodeSchema.safeParse(token).success;

/** A text without anything that is not known to be harmless. */
export const scrub = (text: string): string => text.split('\n').map(scrubLine).join('\n');

function scrubLine(line: string): string {
  const frame = FRAME.exec(line);
  if (frame !== null) {
    const [, name, file, row, column] = frame;
    return `    at ${name === undefined || !isOwnName(name) ? '' : `${name} `}(${file}:${row}:${column})`;
  }
  let announced = 0;
  return line
    .replace(QUOTED, MASK)
    .split(/(\s+)/)
    .map((token) => {
      if (token.trim() === '') return token;
      const [, before = '', core = '', after = ''] = /^([([{<]*)(.*?)([)\]}>.,;:!?…]*)$/.exec(token) ?? [];
      const masked = announced > 0 && core !== MASK;
      announced = ANNOUNCES.test(core) ? ANNOUNCED_WORDS : Math.max(0, announced - 1);
      return !masked && (core === '' || core === MASK || isHarmless(core)) ? before + core + after : MASK;
    })
    .join('');
}

/** A function of a bundle has a name of letters; a secret in its place has digits as well. */
const isOwnName = (name: string): boolean => name.split('.').every((part) => part.length <= 30);

const LEAST_NAME = 3;
const isPartOfWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** Masks names wherever they stand as words of their own, in any case. */
export function nameMask(names: readonly string[]): (text: string) => string {
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))].filter(
    (name) => name.trim().length >= LEAST_NAME,
  );
  wanted.sort((one, other) => other.length - one.length);
  return (text) => wanted.reduce(maskName, text);
}

function maskName(text: string, name: string): string {
  const lower = text.toLowerCase();
  let shown = '';
  let from = 0;
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + name.length)) {
    const [before = '', after = ''] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (isPartOfWord(before) || isPartOfWord(after)) continue;
    shown += text.slice(from, at) + MASK;
    from = at + name.length;
  }
  return shown + text.slice(from);
}
