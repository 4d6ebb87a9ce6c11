import { join } from 'node:path';

export const HELPER = 'signal.sh';
export const INBOX = 'signals.jsonl';

/** A word quoted for a shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The program that an agent's hooks start: its input (an argument or standard input) becomes one line of the
 * session's inbox. The token identifies this start of the agent. It prints nothing and always succeeds, so
 * that Muster's hooks cannot stop an agent.
 */
export function helperScript(folder: string, token: string): string {
  return `#!/bin/sh
# Hands what the agent tells of itself to the session of Muster that it belongs to.
umask 077
box=${quoted(join(folder, INBOX))}
part="$box.$$"
{
  printf '{"token":"%s","body":' ${quoted(token)}
  if [ $# -gt 0 ]; then printf '%s' "$1"; else cat; fi | tr '\\n\\r' '  '
  printf '}\\n'
} > "$part" 2>/dev/null && cat "$part" >> "$box" 2>/dev/null
rm -f "$part"
exit 0
`;
}
