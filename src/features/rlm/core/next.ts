import { type AppError, appError } from '@contract/errors';
import type { BlockState, RlmState } from '../contract/state';
import { type BlockResult, type FeedbackRules, feedbackMessages } from './reply/feedback';
import type { Final } from './reply/final';
import { parseReply, type Reply } from './reply/reply';

/** An answered turn of the root model. */
export interface Iteration {
  readonly turnId: number;
  readonly response: string;
}

/** The loop's prompt texts, already filled in. */
export interface LoopTexts {
  readonly continue: string;
  readonly codeRequired: string;
  /** Asks for the best answer at the iteration limit. */
  readonly lastCall: string;
}

interface LoopRules extends Omit<FeedbackRules, 'marker'> {
  readonly iterations: number;
}

export interface LoopView {
  readonly state: RlmState;
  readonly iterations: readonly Iteration[];
  readonly rules: LoopRules;
  readonly texts: LoopTexts;
}

type AnswerSource = 'block' | 'reply' | 'limit';

/** The next action: an effect, a turn of the root model, or the end. */
export type Next =
  | { readonly kind: 'wait' }
  | { readonly kind: 'block'; readonly turnId: number; readonly block: number; readonly code: string }
  | { readonly kind: 'read'; readonly turnId: number; readonly name: string }
  /** `messages`: user messages, in order. The first turn's are created elsewhere. */
  | { readonly kind: 'turn'; readonly messages: readonly string[]; readonly last: boolean }
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly partial: boolean;
      readonly source: AnswerSource;
    }
  /** The model ends without an answer. */
  | { readonly kind: 'fail'; readonly error: AppError };

const WAIT: Next = { kind: 'wait' };

/** Derives the next action from the history; deterministic (seed 001). */
export function nextStep(view: LoopView): Next {
  const { state, iterations, rules } = view;
  const iteration = iterations.at(-1);
  if (iteration === undefined) return WAIT;
  if (iterations.length > rules.iterations)
    return lastAnswer(view, iteration, parseReply(iteration.response));
  const ran = state.blocks.filter(({ turnId }) => turnId === iteration.turnId);
  const ended = ran.flatMap(({ end }) =>
    end?.kind === 'finished' && end.result.final ? [end.result.final] : [],
  );
  const [final] = ended;
  if (final !== undefined)
    return { kind: 'answer', text: final.text, partial: final.call === 'PARTIAL', source: 'block' };
  if (ran.some(({ end }) => end === null)) return WAIT;
  // Parsed only here: a reply may have megabytes, and this function runs for every answer of a sub-call.
  const reply = parseReply(iteration.response);
  const code = reply.blocks[ran.length];
  if (code !== undefined) return { kind: 'block', turnId: iteration.turnId, block: ran.length, code };
  return reply.final === null
    ? nextTurn(view, ran, [])
    : finalOf(view, { iteration, final: reply.final, ran });
}

interface Ending {
  readonly iteration: Iteration;
  readonly final: Final;
  readonly ran: readonly BlockState[];
}

/**
 * An ending in the reply's text. If its name is no variable, the model gets one hint; the second time the
 * name itself is the answer.
 */
function finalOf(view: LoopView, { iteration, final, ran }: Ending): Next {
  const { call, kind, value } = final;
  const answer = (text: string): Next => ({
    kind: 'answer',
    text,
    partial: call === 'PARTIAL',
    source: 'reply',
  });
  if (kind === 'text') return answer(value);
  const { turnId } = iteration;
  const read = view.state.variables.find((known) => known.turnId === turnId && known.name === value);
  if (read === undefined) return { kind: 'read', turnId, name: value };
  if (read.text === undefined) return WAIT;
  if (read.text !== null) return answer(read.text);
  const before = view.state.variables.some((known) => known.name === value && known.turnId < turnId);
  return before && call === 'FINAL' ? answer(value) : nextTurn(view, ran, [missing(value)]);
}

const missing = (name: string): string =>
  `There is no variable \`${name}\` with a value in the REPL. Use FINAL_VAR with a name of the list above, or write the answer itself as FINAL("...").`;

const LOST =
  'The sandbox was replaced. All variables that you made are gone; `context` is there as before. Compute again what you need.';

const REPLACED =
  'The sandbox was replaced. What that block did is undone; the variables of the blocks before it are there, and so is `context`.';

/** The names in the REPL after the last block that finished. */
function lastVariables({ blocks, variablesFrom }: RlmState): readonly string[] {
  const end = blocks.slice(variablesFrom).findLast((block) => block.end?.kind === 'finished')?.end;
  return end?.kind === 'finished' ? end.result.variables : [];
}

/** The message to the model after an iteration, and whether it is asked for the last time. */
function nextTurn(
  { state, iterations, rules, texts }: LoopView,
  ran: readonly BlockState[],
  notes: string[],
): Next {
  const turnId = iterations.at(-1)?.turnId ?? 0;
  const last = iterations.length === rules.iterations;
  const gone = state.lostBefore.includes(turnId);
  const replaced = ran.some(({ end }) => end?.kind === 'lost');
  const known = gone ? [] : lastVariables(state);
  const messages = [
    ...feedbackMessages(
      ran.map((block) => resultOf(block, known)),
      { ...rules, marker: state.marker ?? '' },
    ),
    ...(gone ? [LOST] : replaced ? [REPLACED] : []),
    ...notes,
    last ? texts.lastCall : ran.length === 0 && notes.length === 0 ? texts.codeRequired : texts.continue,
  ];
  return { kind: 'turn', messages, last };
}

/**
 * After the last call the reply is the answer, in any form; nothing is executed any more. More code is no answer: the
 * model does not end.
 */
function lastAnswer({ state, rules }: LoopView, { response }: Iteration, reply: Reply): Next {
  const { final, blocks, cutOff } = reply;
  const known = final?.kind === 'variable' ? variableText(state, final.value) : null;
  const text = known ?? final?.value ?? response.trim();
  const isCode = final === null && (blocks.length > 0 || cutOff);
  if (isCode || text === '') return { kind: 'fail', error: neverEnds(rules.iterations, isCode) };
  return { kind: 'answer', text, partial: true, source: 'limit' };
}

const neverEnds = (iterations: number, isCode: boolean): AppError =>
  appError(
    'step.max_iterations',
    `All ${iterations} iterations were used, and asked for its best answer the model ${isCode ? 'wrote more code' : 'said nothing'}.`,
    { mend: 'Allow more iterations, or ask another model.' },
  );

const variableText = ({ variables }: RlmState, name: string): string | null =>
  variables.findLast((known) => known.name === name)?.text ?? null;

const LOST_WORDS: Readonly<Record<string, string>> = {
  time: 'The block was over its time limit and did not heed the interrupt.',
  memory: 'The block was over its memory limit.',
};

/** A block's result for the model. */
function resultOf({ code, end }: BlockState, known: readonly string[]): BlockResult {
  if (end?.kind !== 'finished') {
    const why = LOST_WORDS[end?.reason ?? ''] ?? 'The sandbox ended in the middle of the block.';
    const error = end?.detail === undefined ? why : `${why} ${end.detail}`;
    return { code, stdout: '', stderr: '', error, dropped: 0, variables: known };
  }
  const { stdout, stderr, error, variables, dropped } = end.result;
  const timed = end.timedOut ? 'The block was interrupted at its time limit. ' : '';
  return { code, stdout, stderr, dropped, error: timed === '' ? error : `${timed}${error ?? ''}`, variables };
}
