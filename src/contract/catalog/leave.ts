import {
  type AgentProfile,
  type AgentProfileOf,
  type CliPresetId,
  CODEX_EXEC,
  cliPresetIdSchema,
} from './profile';

/** A file's name without its folders, the ending of a program and the version of a package. */
const programName = (word: string): string =>
  word
    .replace(/(?<=.)@[^/\\]*$/, '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(exe|cmd|ps1)$/i, '') ?? '';

/** The preset that a profile of a program names, else the one of its command. */
export function terminalPresetOf({
  preset,
  command,
}: Pick<AgentProfileOf<'cli'>, 'preset' | 'command'>): CliPresetId | typeof CODEX_EXEC {
  if (preset) return preset;
  const known = cliPresetIdSchema.safeParse(programName(command));
  return known.success ? known.data : 'generic';
}

/**
 * Why a program in a terminal is not started, and what to use instead; null where it is. opencode tells nothing of its
 * turns, so its whole screen would stand in the place of its answer.
 */
export function withdrawnWords(
  profile: AgentProfile,
): { readonly message: string; readonly mend: string } | null {
  if (profile.kind !== 'cli' || terminalPresetOf(profile) !== 'opencode') return null;
  return {
    message: `${profile.name} does not run in a terminal: opencode does not tell its answer apart from its screen`,
    mend: 'use the agent opencode, which speaks the Agent Client Protocol (kind acp, command opencode, args acp)',
  };
}

/** Agents that speak the protocol and whose modes are known, by the names of their programs and packages. */
const SPEAKERS = {
  opencode: 'opencode',
  'opencode-ai': 'opencode',
  'codex-acp': 'codex',
  'claude-agent-acp': 'claude',
  'claude-code-acp': 'claude',
  gemini: 'gemini',
  'gemini-cli': 'gemini',
  qwen: 'qwen',
  'qwen-code': 'qwen',
} as const;
export type Speaker = (typeof SPEAKERS)[keyof typeof SPEAKERS];

/** What only starts the program that its arguments name. */
const STARTERS = new Set(['node', 'npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'env', 'sh', 'bash']);

/** Which known agent a profile of kind `acp` starts; null for any other. */
export function speakerOf({
  command,
  args,
}: Pick<AgentProfileOf<'acp'>, 'command' | 'args'>): Speaker | null {
  const first = programName(command);
  const words = STARTERS.has(first) ? args.map(programName) : [first];
  const found = words.find((word) => Object.hasOwn(SPEAKERS, word));
  return found === undefined ? null : SPEAKERS[found as keyof typeof SPEAKERS];
}

/** Programs in a terminal of which nothing makes sure that they ask before each write. */
const WRITE_UNASKED: ReadonlySet<string> = new Set([CODEX_EXEC, 'aider', 'generic']);

/** Whether an agent can be started so that it asks before each write, as it must in the operator's own checkout. */
export const asksBeforeWrites = (profile: AgentProfile): boolean =>
  profile.kind !== 'cli' || !WRITE_UNASKED.has(terminalPresetOf(profile));

/** They have a sandbox or a mode that lets nothing be written and that nobody is asked to leave. */
const HELD_TO_READING: ReadonlySet<string> = new Set([CODEX_EXEC, 'codex', 'opencode', 'aider']);

/**
 * Whether an agent that only reads, or is refused everything, is held to that by itself, or has no files at all. With others it is what Muster
 * answers when they ask.
 */
export function heldToReading(profile: AgentProfile): boolean {
  // Behind OpenClaw's Gateway stands an agent with tools of its own.
  if (profile.kind === 'gateway') return profile.api !== 'openclaw';
  const reads = profile.read_only || profile.permissions === 'deny';
  return reads && profile.kind === 'cli' && HELD_TO_READING.has(terminalPresetOf(profile));
}

/**
 * How an agent that is told to read only is kept from writing: `held` by its own sandbox or mode, `asks` where Muster
 * refuses what it asks for, `none` where nothing makes sure of it.
 */
export type ReadingHold = 'held' | 'asks' | 'none';

export function readingHold(profile: AgentProfile): ReadingHold {
  if (heldToReading({ ...profile, read_only: true })) return 'held';
  if (profile.kind === 'acp') return speakerOf(profile) === null ? 'none' : 'asks';
  return profile.kind === 'cli' && asksBeforeWrites(profile) ? 'asks' : 'none';
}

/** Whether an agent may work in the operator's own checkout, where every write is asked for. */
export const fitsOwnCheckout = (profile: AgentProfile): boolean =>
  asksBeforeWrites(profile) || heldToReading(profile);

/** Why one does not start there, and what mends that: the same words wherever it is told. */
export const OWN_CHECKOUT_REFUSAL = {
  message: (name: string): string => `${name} cannot ask, and in your own checkout each write is asked for`,
  mend: 'let it work in a worktree, or take an agent that can ask',
} as const;

/** Whether an agent can ask for leave while it works. One that cannot is told beforehand what it may do. */
export const canAsk = (profile: AgentProfile): boolean =>
  profile.kind !== 'cli' || profile.preset !== CODEX_EXEC;

/**
 * The sandbox of its own that an agent works in which cannot ask, by the name that Codex gives it. `mode` is that of the
 * session, where one is asked for. Null: its profile wants to be asked, so that it cannot work at all.
 */
export function sandboxOf(
  { read_only, permissions }: Pick<AgentProfile, 'read_only' | 'permissions'>,
  mode: string | null,
): string | null {
  if (read_only || permissions === 'deny') return 'read-only';
  if (permissions === 'ask') return null;
  return mode ?? (permissions === 'allow_all' ? 'danger-full-access' : 'workspace-write');
}
