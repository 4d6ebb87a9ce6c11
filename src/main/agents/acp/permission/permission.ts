import { createHash } from 'node:crypto';
import type { RequestPermissionOutcome, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import type { AgentProfile } from '@areas/agents/contract/profile';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { Json } from '@contract/ids';
import type { PermissionAnswer } from '../../../core/ports/ports';
import { diffsOf, inputOf, type ToolState, toJson } from '../turn/tool-calls';

/**
 * Call ids, which differ when a new process repeats the same question. A plain `id` may be the subject of the
 * question, so it counts.
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

/** JSON with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([key]) => !TRANSPORT_KEYS.has(key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`);
  return `{${entries.join(',')}}`;
}

/** The same for the same tool and input, in every process. */
function questionHash(tool: string, input: Json): string {
  return createHash('sha256').update(canonicalJson({ tool, input })).digest('hex');
}

function commandOf(input: Json | undefined): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const command = input.command ?? input.cmd;
  if (typeof command === 'string') return command;
  return Array.isArray(command) ? command.map(String).join(' ') : undefined;
}

/** Covers all of the request, although the operator is shown a readable part. */
function hashOf(tool: ToolState, name: string): string {
  const input = toJson(tool.rawInput);
  const diffs = tool.content.flatMap((one) =>
    one.type === 'diff' ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
  );
  const texts = tool.content.flatMap((one) => (one.type === 'content' ? [one.content] : []));
  const call: Json = { kind: tool.kind, title: tool.title, locations: [...tool.locations], diffs };
  // A text beside the input only repeats it, in words that may change.
  return questionHash(name, input === undefined ? { ...call, texts } : { ...call, input });
}

/** The question for the operator, from everything known about the tool call. */
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
/** Tools that change no file: a read-only agent needs no additional permission for them. */
const READS = new Set([...HARMLESS, 'fetch']);
const EDITS = new Set(['edit', 'delete', 'move']);

export const isEdit = (kind: string): boolean => EDITS.has(kind);

export interface Policy {
  readonly permissions: AgentProfile['permissions'];
  readonly readOnly: boolean;
  /** In the operator's own checkout every write needs permission. */
  readonly ownCheckout: boolean;
}

/**
 * Where all files of an edit are: in folders that need no permission (`$ARTIFACTS_DIR`), in the session's
 * folders, or elsewhere.
 */
export type Reach = 'unasked' | 'inside' | 'outside';

/** The profile's decision before the operator is asked. `allow_edits` does not cover edits outside. */
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
  // A command may change files and a mode may permit it, but the profile permits neither by itself.
  if (policy.readOnly && !READS.has(kind)) return 'ask';
  return policy.permissions === 'allow_all' || (EDITS.has(kind) && reach === 'inside') ? 'allow' : 'ask';
}

type Options = RequestPermissionRequest['options'];

/**
 * The agent's option that corresponds to the answer; an answer for once is never turned into one for always.
 */
export function chooseOption(options: Options, answer: PermissionAnswer): RequestPermissionOutcome {
  const always = answer.allow ? ['allow_always', 'allow_once'] : ['reject_always', 'reject_once'];
  const once = answer.allow ? ['allow_once'] : ['reject_once', 'reject_always'];
  for (const kind of answer.always ? always : once) {
    const option = options.find((one) => one.kind === kind);
    if (option) return { outcome: 'selected', optionId: option.optionId };
  }
  return { outcome: 'cancelled' };
}
