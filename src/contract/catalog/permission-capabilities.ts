import { acpPrograms, capabilitiesOf, type Speaker, terminalPrograms } from './agent-kinds';
import {
  type AgentProfile,
  type AgentProfileOf,
  type CliPresetId,
  type CODEX_EXEC,
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

/** Why a program in a terminal is not started, and what to use instead; null where it is. */
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

/** What only starts the program that its arguments name. */
const STARTERS = new Set(['node', 'npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'env', 'sh', 'bash']);

/** Which known agent that speaks the Agent Client Protocol a profile starts; null for any other. */
export function speakerOf(profile: AgentProfile): Speaker | null {
  if (profile.kind !== 'acp') return null;
  const { command, args } = profile;
  const first = programName(command);
  const words = STARTERS.has(first) ? args.map(programName) : [first];
  return words.map((word) => speakers.get(word)).find((speaker) => speaker !== undefined) ?? null;
}

/** Whether Muster knows the modes of an agent, so that it passes over one that allows too much. */
export const hasKnownModes = (profile: AgentProfile): boolean =>
  profile.kind === 'cli' || speakerOf(profile) !== null;

/** Whether an agent can be started so that it asks before each write, as it must in the operator's own checkout. */
export const asksBeforeWrites = (profile: AgentProfile): boolean =>
  profile.kind !== 'cli' || terminalPrograms[terminalPresetOf(profile)].asksBeforeWrites;

/**
 * Whether an agent that only reads, or is refused everything, is held to that by itself, or has no tools at all. With
 * others it is what Muster answers when they ask.
 */
export function heldToReading(profile: AgentProfile): boolean {
  if (!capabilitiesOf(profile).hasTools) return true;
  const reads = profile.read_only || profile.permissions === 'deny';
  return reads && profile.kind === 'cli' && terminalPrograms[terminalPresetOf(profile)].heldToReading;
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
  message: (name: string): string =>
    `${name} cannot ask, and in your own checkout Muster asks you before each write`,
  mend: 'let it work in a worktree, or take an agent that can ask',
} as const;

/** Whether an agent can ask for permission while it works. One that cannot is told before its start what it may do. */
export const canAsk = (profile: AgentProfile): boolean => capabilitiesOf(profile).canAsk;

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
