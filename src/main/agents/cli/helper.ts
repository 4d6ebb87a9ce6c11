import { join } from 'node:path';

export const HELPER = 'signal.sh';
export const INBOX = 'signals.jsonl';

/** A word as a shell reads it back. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The program that an agent's hooks start: what it is given (as its argument, or on standard input) becomes one line of
 * the session's inbox. The token tells the lines of this start of the agent from all others. It prints nothing and
 * always succeeds, so that no hook of ours can stop an agent.
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

/** A plugin of opencode that tells the same. */
export function opencodePlugin(folder: string, token: string): string {
  return `import { appendFileSync } from 'node:fs';
// Hands what the agent tells of itself to the session of Muster that it belongs to.
const box = ${JSON.stringify(join(folder, INBOX))};
const tell = (body) => {
  try {
    appendFileSync(box, JSON.stringify({ token: ${JSON.stringify(token)}, body }) + '\\n', { mode: 0o600 });
  } catch {}
};
const texts = new Map();
const roles = new Map();
const children = new Set();
const last = new Map();
export const MusterSignal = async () => {
  return {
    event: async ({ event }) => {
      const { type, properties = {} } = event;
      const info = properties.info ?? {};
      if (type === 'session.created' || type === 'session.updated') {
        if (info.parentID) children.add(info.id);
      } else if (type === 'message.updated') {
        roles.set(info.id, info.role);
        if (info.role === 'user' && !children.has(info.sessionID)) tell({ type: 'prompted', session: info.sessionID });
        if (info.role === 'assistant') last.set(info.sessionID, info.id);
      } else if (type === 'message.part.updated') {
        const part = properties.part ?? {};
        if (part.type !== 'text') return;
        const parts = texts.get(part.messageID) ?? new Map();
        texts.set(part.messageID, parts.set(part.id, part.text));
      } else if (type === 'permission.asked' || type === 'permission.updated' || type === 'question.asked') {
        tell({ type: 'waiting', session: properties.sessionID, text: properties.title ?? properties.permission });
      } else if (type === 'session.error') {
        const error = properties.error ?? {};
        if (error.name === 'MessageAbortedError') return;
        tell({ type: 'ended', session: properties.sessionID, failure: error.data?.message ?? error.name ?? 'an error' });
      } else if (type === 'session.idle') {
        const session = properties.sessionID;
        if (children.has(session)) return;
        const parts = texts.get(last.get(session));
        tell({ type: 'ended', session, text: parts ? [...parts.values()].join('') : null });
      }
    },
  };
};
`;
}
