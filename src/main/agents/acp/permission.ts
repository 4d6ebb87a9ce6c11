import { createHash } from 'node:crypto';
import type { RequestPermissionOutcome, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import type { AgentProfile } from '@contract/catalog/profile';
import type { PermissionRequest } from '@contract/gate/gate';
import type { Json } from '@contract/ids';
import type { PermissionAnswer } from '../../core/ports/ports';
import { diffsOf, inputOf, type ToolState, toJson } from './tool-calls';

/**
 * Numbers that an agent gives its calls: other ones for the same question asked again in a new process. A plain
 * `id` may be the very thing that is asked about, so it counts.
 */
const TRANSPORT_KEYS = new Set(
  [
    'tool_call',
    'tool_use',
    'call',
    'turn',
    'request',
    'message',
    'session',
    'conversation',
    'thread',
    'event',
  ]
    .flatMap((word) => [`${word}_id`, `${word}id`])
    .concat('timestamp', 'started_at', 'startedat'),
);

/** JSON with the keys of every object in order, so that equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([key]) => !TRANSPORT_KEYS.has(key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`);
  return `{${entries.join(',')}}`;
}

/** The same for the same tool and input, in whatever process it is asked. */
function questionHash(tool: string, input: Json): string {
  return createHash('sha256').update(canonicalJson({ tool, input })).digest('hex');
}

function commandOf(input: Json | undefined): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const command = input.command ?? input.cmd;
  if (typeof command === 'string') return command;
  return Array.isArray(command) ? command.map(String).join(' ') : undefined;
}

/** Over everything that was told, whole, though the operator is shown no more than can be read. */
function hashOf(tool: ToolState, name: string): string {
  const input = toJson(tool.rawInput);
  const diffs = tool.content.flatMap((one) =>
    one.type === 'diff' ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
  );
  const texts = tool.content.flatMap((one) => (one.type === 'content' ? [one.content] : []));
  const told: Json = { kind: tool.kind, title: tool.title, locations: [...tool.locations], diffs };
  // A text beside the input only repeats it, in words that may change.
  return questionHash(name, input === undefined ? { ...told, texts } : { ...told, input });
}

/** What the operator is asked, from all that is known of the tool call. */
export function describePermission(tool: ToolState): PermissionRequest {
  const name = tool.name || tool.kind;
  const input = inputOf(tool);
  const command = commandOf(toJson(tool.rawInput));
  return {
    tool: name,
    title: tool.title || name,
    kind: tool.kind,
    ...(input === undefined ? {} : { input }),
    diffs: diffsOf(tool.content),
    ...(command === undefined ? {} : { command }),
    hash: hashOf(tool, name),
  };
}

const HARMLESS = new Set(['read', 'search', 'think']);
/** What changes no file: a read-only agent needs no more permission for it than any other. */
const READS = new Set([...HARMLESS, 'fetch']);
const EDITS = new Set(['edit', 'delete', 'move']);

export const isEdit = (kind: string): boolean => EDITS.has(kind);

export interface Policy {
  readonly permissions: AgentProfile['permissions'];
  readonly readOnly: boolean;
  /** In the operator's own checkout every write is a question. */
  readonly ownCheckout: boolean;
}

/**
 * Where every file of an edit is known to lie: in folders that need no question (`$ARTIFACTS_DIR`), in the session's
 * folders, or anywhere.
 */
export type Reach = 'unasked' | 'inside' | 'outside';

/** What the profile says before the operator is asked. `allow_edits` allows no edit that reaches outside. */
export function decideByPolicy(
  policy: Policy,
  kind: string,
  reach: Reach = 'inside',
): 'allow' | 'deny' | 'ask' {
  if (policy.permissions === 'deny') return 'deny';
  if (policy.readOnly && EDITS.has(kind)) return 'deny';
  if (EDITS.has(kind) && reach === 'unasked') return 'allow';
  if (policy.permissions === 'ask') return 'ask';
  if (HARMLESS.has(kind)) return 'allow';
  if (policy.ownCheckout) return 'ask';
  // A command may change files, and a mode may let it: the profile allows neither by itself.
  if (policy.readOnly && !READS.has(kind)) return 'ask';
  return policy.permissions === 'allow_all' || (EDITS.has(kind) && reach === 'inside') ? 'allow' : 'ask';
}

type Options = RequestPermissionRequest['options'];

/** The agent's option that says what the answer says; an answer for once never becomes one for always. */
export function chooseOption(options: Options, answer: PermissionAnswer): RequestPermissionOutcome {
  const always = answer.allow ? ['allow_always', 'allow_once'] : ['reject_always', 'reject_once'];
  const once = answer.allow ? ['allow_once'] : ['reject_once', 'reject_always'];
  for (const kind of answer.always ? always : once) {
    const option = options.find((one) => one.kind === kind);
    if (option) return { outcome: 'selected', optionId: option.optionId };
  }
  return { outcome: 'cancelled' };
}
