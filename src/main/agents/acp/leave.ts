import { type Speaker, speakerOf } from '@contract/catalog/leave';
import type { AgentProfile } from '@contract/catalog/profile';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { chooseMode, isFirm, type Leave, type ModeChoice, type Modes } from '../modes';

/** In its default mode a reviewer model of its own answers what the operator is to be asked. */
const codexModes: Modes = {
  of: { ask: 'read-only', allow_edits: 'workspace-write', allow_all: 'workspace-write', deny: 'read-only' },
  asking: ['read-only'],
  reading: ['read-only'],
};

/** Where it is to ask, it is told so: its own settings may have another mode as the usual one. */
const askingModes = (reading: Modes['reading']): Modes => ({
  of: { ask: 'default', allow_edits: null, allow_all: null, deny: 'default' },
  asking: reading,
  reading,
});

const MODES: Readonly<Record<Exclude<Speaker, 'opencode'>, Modes>> = {
  codex: codexModes,
  claude: askingModes(['default', 'plan', 'dontAsk']),
  gemini: askingModes(['default', 'plan']),
  qwen: askingModes(['default', 'plan']),
};

/** Words in the names of modes in which an agent does not ask. */
const ASKS_NOT = /auto|bypass|yolo|accept|full|allow|trust|don.?t.?ask|no.?ask|write/i;

export interface Start extends ModeChoice {
  /** Variables that make it ask. */
  readonly env: Readonly<Record<string, string>>;
  /** They come over those of the profile and the step, else below them. */
  readonly firm: boolean;
  /** The mode was named, so that an agent without modes is told of. */
  readonly named: boolean;
}

/** How an agent is started so that it asks what it is to ask. What Muster does not know of it, it is trusted with. */
export function startOf(profile: AgentProfile, leave: Leave): Result<Start> {
  const { mode } = leave;
  const speaker = profile.kind === 'acp' ? speakerOf(profile) : null;
  const firm = isFirm(leave);
  const plain = { mode, notice: null, env: {}, firm, named: mode !== null };
  if (speaker === 'opencode') return ok({ ...plain, env: opencodeEnv(leave) });
  if (speaker !== null) {
    const chosen = chooseMode(MODES[speaker], leave);
    return ok({ ...chosen, env: {}, firm, named: mode !== null && chosen.mode === mode });
  }
  if (!firm || mode === null || !ASKS_NOT.test(mode)) return ok(plain);
  const where = leave.readOnly
    ? 'its profile only reads'
    : leave.ownCheckout
      ? 'in your own checkout each write is asked for'
      : 'its profile refuses everything';
  return err(
    appError('agent.refused', `${profile.name} would not ask in its mode ${mode}, and ${where}`, {
      mend: 'Take the mode out of the profile or the step, or name one in which it asks.',
    }),
  );
}

/** Laid over what every file of its settings says, for this process only. */
function opencodeEnv({ permissions, readOnly, ownCheckout }: Leave): Record<string, string> {
  const leave = (edit: string, bash: string) => ({ OPENCODE_PERMISSION: JSON.stringify({ edit, bash }) });
  if (permissions === 'deny') return leave('deny', 'deny');
  if (readOnly) return leave('deny', 'ask');
  return permissions === 'ask' || ownCheckout ? leave('ask', 'ask') : {};
}
