import type { RunEventOf } from '@contract/run/events';
import type { RunState, SessionState, TurnState } from '@contract/run/state';

type Words = Pick<TurnState, 'prompt' | 'resendOf'> & { readonly carried?: number | undefined };
type Said = Pick<RunEventOf<'turn.dispatched'>, 'prompt' | 'attachments' | 'resendOf' | 'carried'>;

const ANEW =
  'This conversation begins anew: the earlier one could not be taken up. What was said in it stands under "Earlier steps"; go on from there with what stands under "Now".';

/** What a turn asked for by itself, without what its conversation had lost. */
export const ownPrompt = ({ prompt, carried = 0 }: Omit<Words, 'resendOf'>): string => prompt.slice(carried);

/** The turns of a session that its agent's conversation knows nothing of and has not been told of yet. */
export function lostTurns({ turns }: RunState, { turnIds, freshAt }: SessionState): TurnState[] {
  const heard = turnIds.slice(freshAt).some((id) => {
    const turn = turns[id];
    return turn?.status === 'completed' || (turn?.response ?? '') !== '';
  });
  return heard ? [] : turnIds.slice(0, freshAt).flatMap((id) => turns[id] ?? []);
}

/**
 * A prompt as it goes into its session. Into a conversation that was begun anew it brings what that has lost: a
 * re-prompt alone would ask for work on something that the agent has never seen.
 */
export function carry(state: RunState, session: SessionState, said: Said): Said {
  const lost = lostTurns(state, session);
  if (lost.length === 0) return said;
  const { carried: _, ...alone } = { ...said, prompt: ownPrompt(said) };
  const told = lost.filter((turn) => !sentAgain(state, turn, [...lost, alone]));
  if (told.length === 0) return alone;
  const entry = told.map((turn, index) => exchange(turn, index + 1)).join('\n\n');
  const before = `${ANEW}\n\n## Earlier steps\n### This session\n${entry}\n\n## Now\n`;
  const files = [...told.flatMap((turn) => turn.attachments), ...said.attachments];
  const attachments = files.filter(
    ({ path }, index) => files.findIndex((file) => file.path === path) === index,
  );
  return { ...alone, prompt: `${before}${alone.prompt}`, attachments, carried: before.length };
}

/** The same words stand further on: in a turn that was sent for this one, or in one that was sent for that. */
function sentAgain(state: RunState, turn: TurnState, later: readonly Words[]): boolean {
  return later.some((one) => {
    for (let id = one.resendOf; id !== null; id = state.turns[id]?.resendOf ?? null)
      if (id === turn.id) return ownPrompt(one) === ownPrompt(turn);
    return false;
  });
}

function exchange(turn: TurnState, number: number): string {
  const { response } = turn;
  const cut = turn.status === 'completed' ? '' : ' (cut off)';
  const answer = response === '' ? `Answer ${number}: none.` : `Answer ${number}${cut}:\n${response}`;
  return `Prompt ${number}:\n${ownPrompt(turn)}\n\n${answer}`;
}
