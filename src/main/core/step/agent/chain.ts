import type { Attachment } from '@areas/sessions/contract/session';
import type { TurnDecision } from '../decision';
import type { ActivationView } from '../module';
import { type AgentChoice, agentRef } from './agent';
import { assemblePrompt } from './prompt';
import { type Reprompt, repromptFiles, repromptText } from './reprompts';
import { chooseSession, type SessionChoice } from './session-choice';

/** A step whose single agent answers an instruction and then each re-prompt, in one session. */
export interface ChainConfig extends AgentChoice, SessionChoice {
  readonly instruction: string;
  readonly attachments: readonly string[];
  readonly re_prompts: readonly Reprompt[];
  readonly max_iterations?: number | undefined;
  readonly prompt?: 'assembled' | 'template' | undefined;
}

/** Number of turns in the chain: the primary one and the re-prompts. */
export const chainLength = (config: ChainConfig): number => 1 + config.re_prompts.length;

/** The files of a first prompt: those of the step, then those of the request that the step does not name too. */
export const firstFiles = (own: readonly Attachment[], requested: readonly Attachment[]): Attachment[] => [
  ...own,
  ...requested.filter(({ path }) => own.every((file) => file.path !== path)),
];

/**
 * The turn at a position in the chain. A re-prompt is the only content of its turn, because the session has
 * the rest (seed 000 section 3.1). `appendix` follows the text of the last turn only.
 */
export function chainTurn(
  view: ActivationView<ChainConfig>,
  ordinal: number,
  appendix: string | null,
): TurnDecision {
  const { config } = view;
  const of = chainLength(config);
  const place = { ordinal, of, agent: agentRef(config), session: chooseSession(view), progress: [] };
  const filesOf = (paths: readonly string[]) => paths.flatMap((path) => view.attachment(path) ?? []);
  const ending = (text: string) => (appendix === null || ordinal !== of - 1 ? text : `${text}${appendix}`);
  if (ordinal === 0) {
    return {
      kind: 'turn',
      turn: 'primary',
      ...place,
      prompt: ending(
        config.prompt === 'template' ? config.instruction : assemblePrompt(view, config.instruction),
      ),
      attachments: firstFiles(filesOf(config.attachments), view.requestAttachments),
    };
  }
  const entry = config.re_prompts[ordinal - 1] ?? '';
  return {
    kind: 'turn',
    turn: 'reprompt',
    ...place,
    prompt: ending(repromptText(entry)),
    attachments: filesOf(repromptFiles(entry)),
  };
}
