import { continuedResponse } from '@areas/sessions/contract/response';
import type { RunEventOf } from '@contract/run/events';
import type { RunState, SessionState, TurnState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';

type Words = Pick<TurnState, 'prompt' | 'resendOf'> & { readonly carried?: number | undefined };
type Said = Pick<RunEventOf<'turn.dispatched'>, 'prompt' | 'attachments' | 'resendOf' | 'carried'>;

/** The prompt that continues an interrupted turn, if the session still has the conversation. */
export const CONTINUE_PROMPT =
  'Your last turn was cut off before it ended. Look at what you have already done, then go on and finish what you were asked for.';

const NEW_SESSION =
  'This is a new conversation: the earlier one could not be resumed. What was said in it stands under "Earlier steps"; go on from there with what stands under "Now".';

/** A turn's own prompt, without the replayed conversation. */
export const ownPrompt = ({ prompt, carried = 0 }: Omit<Words, 'resendOf'>): string => prompt.slice(carried);

/** A session's turns that its agent's conversation has lost and has not been told again. */
export function lostTurns({ turns }: RunState, { turnIds, freshAt }: SessionState): TurnState[] {
  const heard = turnIds.slice(freshAt).some((id) => {
    const turn = turns[id];
    return turn?.status === 'completed' || (turn?.response ?? '') !== '';
  });
  return heard ? [] : turnIds.slice(0, freshAt).flatMap((id) => turns[id] ?? []);
}

/**
 * The prompt as sent to its session. For a restarted conversation it includes the lost turns: a re-prompt
 * alone would refer to work the agent has never seen.
 */
export function carry(state: RunState, session: SessionState, said: Said): Said {
  const lost = lostTurns(state, session);
  if (lost.length === 0) return said;
  const { carried: _, ...alone } = { ...said, prompt: ownPrompt(said) };
  const unanswered = inOne(state, lost);
  const toReplay = unanswered.filter((turn) => !sentAgain(state, turn, [...lost, alone]));
  if (toReplay.length === 0) return alone;
  const { entry, turns } = replayed(toReplay);
  const before = `${NEW_SESSION}\n\n## Earlier steps\n### This session\n${entry}\n\n## Now\n`;
  const files = [...turns.flatMap((turn) => turn.attachments), ...said.attachments];
  const attachments = files.filter(
    ({ path }, index) => files.findIndex((file) => file.path === path) === index,
  );
  return { ...alone, prompt: `${before}${alone.prompt}`, attachments, carried: before.length };
}

/** The same text occurs later: in a turn that replaced this one, or one that replaced that. */
function sentAgain(state: RunState, turn: TurnState, later: readonly Words[]): boolean {
  return later.some((one) => {
    for (let id = one.resendOf; id !== null; id = state.turns[id]?.resendOf ?? null)
      if (id === turn.id) return ownPrompt(one) === ownPrompt(turn);
    return false;
  });
}

/** Combines an interrupted turn and its continuations: the original prompt, and all of the response. */
function inOne(state: RunState, lost: readonly TurnState[]): TurnState[] {
  const chains = lost.map((turn) => continuedBy(state, turn));
  const continuedLater = new Set(chains.flatMap((chain) => chain.slice(0, -1).map(({ id }) => id)));
  return chains.flatMap((chain) => {
    const [first, ...others] = chain;
    const last = chain.at(-1);
    if (first === undefined || last === undefined || continuedLater.has(last.id)) return [];
    const joined = others.map(said).reduce(continuedResponse, said(first));
    return [{ ...first, response: joined.response, status: last.status }];
  });
}

/** Of a large answer both ends are enough: more is never replayed. */
const said = ({ response, toolCalls }: TurnState) => ({ response: shownText(response), toolCalls });

/** The turns that a turn continues, first one first, then itself. */
function continuedBy({ turns }: RunState, turn: TurnState): TurnState[] {
  const chain = [turn];
  for (let one = turn; ownPrompt(one).startsWith(CONTINUE_PROMPT); ) {
    const before = turns[one.resendOf ?? 0];
    if (before === undefined) break;
    chain.unshift(before);
    one = before;
  }
  return chain;
}

/**
 * Maximum bytes replayed: more than the agent's context or a process argument can hold would fail this turn
 * and every later one.
 */
const MOST_TOLD = 90_000;
/** Maximum characters of each prompt and answer, tried in turn until everything fits. */
const CUTS = [Number.POSITIVE_INFINITY, 40_000, 20_000, 10_000, 5_000] as const;
const SHORTEST = 5_000;

interface ReplayedTurns {
  readonly entry: string;
  readonly turns: readonly TurnState[];
}

/** The whole conversation, shortened if too long; in the worst case its beginning and its newest part. */
function replayed(turns: readonly TurnState[]): ReplayedTurns {
  const cutTo = (most: number): string[] =>
    turns.map((turn, index) => exchange(turn, index + 1, { most, newest: index === turns.length - 1 }));
  for (const most of CUTS) {
    const all = cutTo(most).join('\n\n');
    if (bytesOf(all) <= MOST_TOLD) return { entry: all, turns };
  }
  const [first = '', ...others] = cutTo(SHORTEST);
  const newest = others.splice(-1);
  let room = MOST_TOLD - bytesOf(first) - bytesOf(newest.join());
  while (others.length > 0) {
    room -= bytesOf(others.at(-1) ?? '');
    if (room < 0) break;
    newest.unshift(...others.splice(-1));
  }
  const out = others.length;
  const gap =
    out === 0 ? [] : [`(${out} more, with ${out === 1 ? 'its answer' : 'their answers'}: left out here.)`];
  return {
    entry: [first, ...gap, ...newest].join('\n\n'),
    turns: turns.filter((_, index) => index === 0 || index > out),
  };
}

/** Length in UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 0 : code < 0x800 ? 1 : 2;
  }
  return bytes;
}

/** Keeps both ends of a text: requests are usually at the beginning, results at the end. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n(… ${text.length - 2 * half} characters are left out here …)\n${text.slice(-half)}`;
}

interface Cut {
  readonly most: number;
  /** Its prompt may be what the agent must continue; it was sent before, so it fits. */
  readonly newest: boolean;
}

function exchange(turn: TurnState, number: number, { most, newest }: Cut): string {
  const response = shortened(shownText(turn.response), most);
  const prompt = newest ? ownPrompt(turn) : shortened(ownPrompt(turn), most);
  const cut = turn.status === 'completed' ? '' : ' (cut off)';
  const answer = response === '' ? `Answer ${number}: none.` : `Answer ${number}${cut}:\n${response}`;
  return `Prompt ${number}:\n${prompt}\n\n${answer}`;
}
