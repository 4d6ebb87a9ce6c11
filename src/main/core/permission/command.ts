import { matchesPattern } from './pattern';

/** What joins commands, runs one inside another, redirects or fills in: within quotes too, to be on the safe side. */
const MORE_THAN_ONE = /[;&|<>(){}$`\0\r\n]/;

/** Words that begin a compound command, or that turn what follows around. */
const RESERVED = new Set([
  ...['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'select'],
  ...['function', 'time', 'coproc', '!', '[[', '{', '}'],
]);

/** What is longer than this is a script in disguise, and no one has read it. */
const MOST_CHARACTERS = 8_192;

function quotesClose(text: string): boolean {
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quote === null) {
      if (char === '\\') at += 1;
      else if (char === '"' || char === "'") quote = char;
    } else if (char === '\\' && quote === '"') at += 1;
    else if (char === quote) quote = null;
  }
  return quote === null && !/(^|[^\\])(\\\\)*\\$/.test(text);
}

/**
 * Whether a text is exactly one simple command: one program with its arguments, no other command beside, before, after
 * or inside of it, no redirection and nothing that the shell fills in. It errs on the side of no.
 */
export function isSimpleCommand(text: string): boolean {
  const command = text.trim();
  if (
    command === '' ||
    command.length > MOST_CHARACTERS ||
    MORE_THAN_ONE.test(command) ||
    !quotesClose(command)
  )
    return false;
  return !RESERVED.has(command.split(/\s/, 1)[0] ?? '');
}

/** Leave is given to whole simple commands only. */
export function allowsCommand(pattern: string, text: string): boolean {
  return isSimpleCommand(text) && matchesPattern(pattern, text.trim());
}

/**
 * A denial must not be got round by what is beside the command: it counts for the whole text and for each piece
 * of it, with and without variables that are set before.
 */
export function deniesCommand(pattern: string, text: string): boolean {
  const pieces = text.split(/&&|\|\||[;&|<>(){}$`\r\n]/).map((piece) => piece.trim());
  return [text.trim(), ...pieces].some(
    (piece) =>
      piece !== '' &&
      (matchesPattern(pattern, piece) ||
        matchesPattern(pattern, piece.replace(/^(?:[A-Za-z_]\w*=\S*\s+)+/, ''))),
  );
}
