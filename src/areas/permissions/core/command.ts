import { matchesPattern } from './pattern';

/** Characters that join, nest, redirect or expand commands. Rejected even inside quotes, to be safe. */
const MORE_THAN_ONE = /[;&|<>(){}$`\0\r\n]/;

/** Words that begin a compound command, or change the meaning of what follows. */
const RESERVED = new Set([
  ...['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'select'],
  ...['function', 'time', 'coproc', '!', '[[', '{', '}'],
]);

/** A longer command is a script that no one has read. */
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
 * Whether a text is exactly one simple command: a program with arguments, and no other commands, redirections
 * or shell expansions anywhere. When in doubt, the answer is no.
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

/** Only whole simple commands can be allowed. */
export function allowsCommand(pattern: string, text: string): boolean {
  return isSimpleCommand(text) && matchesPattern(pattern, text.trim());
}

/**
 * A denial must not be circumvented by adding commands: it applies to the whole text and each of its parts,
 * with and without leading variable assignments.
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
