import { RE2JS } from 're2js';

/** Why a schema's `pattern` cannot be used, and what to write instead. */
interface PatternFlaw {
  readonly message: string;
  readonly mend: string;
}

/** Maximum instructions of a compiled pattern, which determine the time per character. */
const MOST_INSTRUCTIONS = 500;

/** Maximum product of instructions and characters per answer: about two seconds in the worst case. */
export const MOST_WORK = 20_000_000;

/** JavaScript's white space, of which the engine knows only the ASCII part. */
const SPACE =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

const TOKEN = /\\k<|\\.|\(\?<?[=!]|\[\^?|./gsu;

/** For each part of a pattern, in order, whether it is outside of `[...]`. */
function* parts(text: string): Generator<readonly [part: string, inClass: boolean]> {
  let inClass = false;
  for (const [part] of text.matchAll(TOKEN)) {
    if (inClass && part.startsWith('[')) {
      for (const char of part) yield [char, true];
      continue;
    }
    if (part === ']') inClass = false;
    yield [part, inClass];
    if (part.startsWith('[')) inClass = true;
  }
}

/** A pattern for the engine: where the two differ, it keeps its JavaScript meaning. */
function translated(text: string): string {
  let made = '';
  for (const [part, inClass] of parts(text)) {
    if (part === '\\s') made += inClass ? SPACE : `[${SPACE}]`;
    else if (part === '\\S') made += inClass ? NO_SPACE : `[${NO_SPACE}]`;
    else if (part === '.' && !inClass) made += '[^\\n\\r\\x{2028}\\x{2029}]';
    else if (part === '\\b' && inClass) made += '\\x08';
    else made += part;
  }
  return RE2JS.translateRegExp(made);
}

const LOOKAROUND: PatternFlaw = {
  message: 'it looks ahead or behind, which cannot be matched in linear time',
  mend: 'list what is allowed, for example (a|b), or check the rest in a command after this step',
};
const BACK_REFERENCE: PatternFlaw = {
  message: 'it refers back to a group, which cannot be matched in linear time',
  mend: 'repeat the group’s pattern, or compare the two parts in a command after this step',
};

/** Why a pattern is rejected; null if it can be used. */
export function patternFlaw(text: string): PatternFlaw | null {
  const wrong = (flags: string) => {
    try {
      new RegExp(text, flags);
      return null;
    } catch (thrown) {
      return (
        String((thrown as Error).message)
          .split(': ')
          .at(-1) ?? ''
      );
    }
  };
  const plain = wrong('');
  if (plain !== null)
    return { message: `it is not a regular expression: ${plain}`, mend: 'write it in JavaScript syntax' };
  const strict = wrong('u');
  if (strict !== null)
    return {
      message: `it is ambiguous: ${strict}`,
      mend: 'write it in JavaScript syntax with the flag u: a backslash only before a special character',
    };
  for (const [part, inClass] of parts(text)) {
    if (inClass) continue;
    if (/^\(\?<?[=!]$/.test(part)) return LOOKAROUND;
    if (/^\\(?:k<|[1-9])$/.test(part)) return BACK_REFERENCE;
  }
  try {
    if (RE2JS.compile(translated(text)).programSize() > MOST_INSTRUCTIONS)
      return { message: 'it is too large', mend: 'repeat fewer characters, or use minLength and maxLength' };
    return null;
  } catch (thrown) {
    const reason = String((thrown as Error).message).replace('error parsing regexp: ', '');
    return {
      message: `it cannot be matched in linear time: ${reason}`,
      mend: 'write it without this part; a count is at most 1000',
    };
  }
}

/** A valid pattern, matched in linear time. */
export class LinearPattern extends RegExp {
  readonly #compiled: RE2JS;
  readonly #spend: (work: number) => boolean;

  /** `spend` returns whether this much work is still allowed; if not, nothing matches. */
  constructor(text: string, spend: (work: number) => boolean = () => true) {
    super(text, 'u');
    this.#compiled = RE2JS.compile(translated(text));
    this.#spend = spend;
  }

  override test(text: string): boolean {
    return this.#spend(text.length * this.#compiled.programSize()) && this.#compiled.test(text);
  }

  override toString(): string {
    return `/${this.source}/`;
  }
}
