import { acpPrograms, capabilitiesOf, type Speaker, terminalPrograms } from './agent-kinds';
import {
  type AgentProfile,
  type AgentProfileOf,
  type CliPresetId,
  type CODEX_EXEC,
  cliPresetIdSchema,
} from './profile';

/** A program's name: without folders, file extension and package version. */
const programName = (word: string): string =>
  word
    .replace(/(?<=.)@[^/\\]*$/, '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(exe|cmd|ps1)$/i, '') ?? '';

/** The preset that the profile names, else the preset of its command. */
export function terminalPresetOf({
  preset,
  command,
}: Pick<AgentProfileOf<'cli'>, 'preset' | 'command'>): CliPresetId | typeof CODEX_EXEC {
  if (preset) return preset;
  const known = cliPresetIdSchema.safeParse(programName(command));
  return known.success ? known.data : 'generic';
}

/** Why a program cannot run in a terminal, and what to use instead; null if it can. */
export function withdrawnWords(
  profile: AgentProfile,
): { readonly message: string; readonly mend: string } | null {
  if (profile.kind !== 'cli') return null;
  const { withdrawn } = terminalPrograms[terminalPresetOf(profile)];
  if (withdrawn === undefined) return null;
  return {
    message: `${profile.name} does not run in a terminal: ${withdrawn.message}`,
    mend: withdrawn.mend,
  };
}

const speakers: ReadonlyMap<string, Speaker> = new Map(
  (Object.keys(acpPrograms) as Speaker[]).flatMap((id) =>
    acpPrograms[id].names.map((name) => [name, id] as const),
  ),
);

/** Programs that only start the program named in their arguments. */
const STARTERS = new Set(['node', 'npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'env', 'sh', 'bash']);

/** Which known Agent Client Protocol agent a profile starts; null for any other. */
export function speakerOf(profile: AgentProfile): Speaker | null {
  if (profile.kind !== 'acp') return null;
  const { command, args } = profile;
  const first = programName(command);
  const words = STARTERS.has(first) ? args.map(programName) : [first];
  return words.map((word) => speakers.get(word)).find((speaker) => speaker !== undefined) ?? null;
}

/** Whether Muster knows the agent's modes, so that it can avoid one that allows too much. */
export const hasKnownModes = (profile: AgentProfile): boolean =>
  profile.kind === 'cli' || speakerOf(profile) !== null;

/**
 * Whether an agent can be started so that it asks before each write, as is required in the operator's own
 * checkout.
 */
export const asksBeforeWrites = (profile: AgentProfile): boolean =>
  profile.kind !== 'cli' || terminalPrograms[terminalPresetOf(profile)].asksBeforeWrites;

/**
 * Whether a read-only or deny-all policy is enforced by the agent itself, or the agent has no tools.
 * Otherwise Muster refuses the agent's requests.
 */
export function heldToReading(profile: AgentProfile): boolean {
  if (!capabilitiesOf(profile).hasTools) return true;
  const reads = profile.read_only || profile.permissions === 'deny';
  return reads && profile.kind === 'cli' && terminalPrograms[terminalPresetOf(profile)].heldToReading;
}

/**
 * How a read-only agent is kept from writing: `held` by its own sandbox or mode, `asks` if Muster refuses its
 * requests, `none` if nothing enforces it.
 */
export type ReadingHold = 'held' | 'asks' | 'none';

export function readingHold(profile: AgentProfile): ReadingHold {
  if (heldToReading({ ...profile, read_only: true })) return 'held';
  if (profile.kind === 'acp') return speakerOf(profile) === null ? 'none' : 'asks';
  return profile.kind === 'cli' && asksBeforeWrites(profile) ? 'asks' : 'none';
}

/** Whether an agent may work in the operator's own checkout, where every write needs permission. */
export const fitsOwnCheckout = (profile: AgentProfile): boolean =>
  asksBeforeWrites(profile) || heldToReading(profile);

/**
 * Why an agent cannot start in the operator's own checkout, and the fix. Shared by all places that report it.
 */
export const OWN_CHECKOUT_REFUSAL = {
  message: (name: string): string =>
    `${name} cannot ask, and in your own checkout Muster asks you before each write`,
  mend: 'let it work in a worktree, or take an agent that can ask',
} as const;

/**
 * Whether the agent can request permission while it works. If not, it is told at its start what it may do.
 */
export const canAsk = (profile: AgentProfile): boolean => capabilitiesOf(profile).canAsk;

/** Why an agent that cannot ask does not start with a profile that wants it to. */
export const CANNOT_ASK_REFUSAL = {
  message: (name: string): string => `${name} cannot ask, and its profile says \`permissions: ask\``,
  mend: 'set its permissions to allow_edits (it then works in the sandbox workspace-write), allow_all or deny',
} as const;

/** Whether an agent could not even start, because it would have to ask. */
export const wouldHaveToAsk = (profile: AgentProfile): boolean =>
  !canAsk(profile) && sandboxOf(profile, null) === null;

/**
 * The sandbox (named as in Codex) for an agent that cannot ask. `mode` is the session's mode, if one was
 * chosen. Null: the profile requires permission requests, so the agent cannot work.
 */
export function sandboxOf(
  { read_only, permissions }: Pick<AgentProfile, 'read_only' | 'permissions'>,
  mode: string | null,
): string | null {
  if (read_only || permissions === 'deny') return 'read-only';
  if (permissions === 'ask') return null;
  return mode ?? (permissions === 'allow_all' ? 'danger-full-access' : 'workspace-write');
}
