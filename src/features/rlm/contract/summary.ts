import type { ErrorCode } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { ownValue } from '@contract/own';
import { stepDefinition } from '@contract/run/scope/path';
import type { ActivationState, RunState, TurnState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';
import { z } from 'zod';
import type { BlockState, RlmState, SubCall } from './state';

/** The step type of questions. */
const QUESTION_STEP = 'step.rlm';

/** A question's current phase. */
const questionPhases = [
  /** Reading and storing its documents. */
  'reading',
  /** Starting the sandbox. */
  'starting',
  /** The root model is writing. */
  'thinking',
  /** A block is computing. */
  'computing',
  /** A block waits for the sub-model. */
  'asking',
  /** The answer's citations are being checked, and a second model verifies it. */
  'checking',
  /** The disk is full: a block waits for space. */
  'held',
  'waiting',
  'cancelling',
  'answered',
  /** The best answer at the limit of iterations, or one that the model calls partial. */
  'partial',
  'failed',
  'stopped',
] as const;
export type QuestionPhase = (typeof questionPhases)[number];

export const questionRowSchema = lazyObject(() => ({
  runId: z.number().int(),
  activationId: z.number().int(),
  /** The question as asked; for a workflow's step, its title. */
  question: z.string(),
  projectId: z.number().int(),
  projectName: z.string(),
  phase: z.enum(questionPhases),
  live: z.boolean(),
  /** The run can be resumed where it ended. */
  resumable: z.boolean(),
  /** Resuming could bring another end: the error is not one of the question itself. */
  resumeHelps: z.boolean(),
  /** A running block can be interrupted. */
  interruptible: z.boolean(),
  /** 0 before the first. */
  iteration: z.number().int(),
  of: z.number().int(),
  documents: z.number().int(),
  chars: z.number().int(),
  subCalls: z.number().int(),
  underWay: z.number().int(),
  openGates: z.number().int(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
  tokens: z.number(),
  /** Null: no cost was reported. */
  costUsd: z.number().nullable(),
}));
export type QuestionRow = z.infer<typeof questionRowSchema>;

/** Tokens and money; unreported amounts count as zero. The cost is null if none was reported. */
interface Spent {
  readonly tokens: number;
  readonly costUsd: number | null;
}

export function spentBy(used: readonly { readonly usage: TurnState['usage'] }[]): Spent {
  let tokens = 0;
  let costUsd: number | null = null;
  for (const { usage } of used) {
    tokens += usage?.total_tokens ?? (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
    if (usage?.cost_usd != null) costUsd = (costUsd ?? 0) + usage.cost_usd;
  }
  return { tokens, costUsd };
}

export const callsIn = (blocks: readonly BlockState[]): SubCall[] =>
  blocks.flatMap(({ batches }) => batches.flatMap(({ calls }) => calls));

const paidAnswers = (blocks: readonly BlockState[]) =>
  callsIn(blocks).flatMap(({ answer, unasked }) => (unasked ? [] : (answer ?? [])));

/** Usage of root model, sub-calls and verification. */
export const spentBetween = (
  turns: readonly TurnState[],
  blocks: readonly BlockState[],
  rlm?: Pick<RlmState, 'verification' | 'codeVerification'>,
): Spent =>
  spentBy([
    ...[...turns, ...paidAnswers(blocks)],
    ...[rlm?.verification, rlm?.codeVerification].flatMap((one) => one ?? []),
  ]);

/** The root model's turns that count as iterations, oldest first; a resent turn counts once. */
export function iterationTurns(state: RunState, activation: ActivationState): TurnState[] {
  const byOrdinal = new Map<number, TurnState>();
  for (const id of activation.turnIds) {
    const turn = state.turns[id];
    if (turn !== undefined) byOrdinal.set(turn.ordinal, turn);
  }
  return [...byOrdinal.values()].sort((one, other) => one.ordinal - other.ordinal);
}

const configSchema = lazyObject(() => ({
  question: z.string().catch('').default(''),
  limits: z.object({ iterations: z.number().catch(20).default(20) }).catch({ iterations: 20 }),
}));

function configOf(state: RunState, { stepId, expanded }: ActivationState) {
  const step = stepDefinition(state, stepId);
  const read = configSchema.safeParse({ limits: {}, ...step?.config });
  const config = read.success ? read.data : { question: '', limits: { iterations: 20 } };
  const question = shownText(ownValue(expanded?.texts, 'question') ?? config.question);
  return { ...config, question, title: step?.title ?? stepId };
}

function phaseOf(state: RunState, activation: ActivationState, rlm: RlmState | undefined): QuestionPhase {
  if (activation.status === 'finished') {
    if (activation.outcome === 'succeeded')
      return activation.receipt.partial === true ? 'partial' : 'answered';
    return activation.outcome === 'failed' ? 'failed' : 'stopped';
  }
  if (state.status === 'cancelling') return 'cancelling';
  if (openGates(state, activation) > 0) return 'waiting';
  const block = rlm?.blocks.at(-1);
  if (rlm?.held != null) return 'held';
  if (rlm === undefined || rlm.documents === null) return 'reading';
  if (rlm.citing !== null || rlm.verifying !== null) return 'checking';
  if (block?.end === null) return callsIn([block]).some(isUnderWay) ? 'asking' : 'computing';
  return rlm.sandbox === 'requested' ? 'starting' : 'thinking';
}

const isUnderWay = ({ answer }: SubCall): boolean => answer === null;

const openGates = (state: RunState, { id }: ActivationState): number =>
  Object.values(state.gates).filter((gate) => gate.activationId === id && gate.status === 'open').length;

/** Errors that a resumed question would meet again at once: its text, its documents or its limit has to be changed. */
const OF_THE_QUESTION: ReadonlySet<ErrorCode> = new Set([
  'input.invalid',
  'not_found',
  'step.max_iterations',
]);

type RunFacts = Pick<QuestionRow, 'runId' | 'projectName'>;

/** A question's row in the list. */
export function questionRow(state: RunState, activation: ActivationState, run: RunFacts): QuestionRow {
  const rlm = state.rlm[activation.id];
  const { question, limits, title } = configOf(state, activation);
  const turns = activation.turnIds.flatMap((id) => state.turns[id] ?? []);
  const blocks = rlm?.blocks ?? [];
  const documents = rlm?.documents ?? [];
  const over = state.status === 'finished' && state.outcome !== 'succeeded';
  const live = activation.status === 'running' && state.status === 'running';
  return {
    ...run,
    activationId: activation.id,
    question: question.trim() === '' ? title : question,
    projectId: state.projectId,
    phase: phaseOf(state, activation, rlm),
    live,
    resumable: over && !state.binned && activation.outcome !== 'succeeded',
    resumeHelps: !OF_THE_QUESTION.has(activation.error?.code ?? 'cancelled'),
    interruptible: live && blocks.at(-1)?.end === null,
    iteration: iterationTurns(state, activation).length,
    of: limits.iterations,
    documents: documents.length,
    chars: documents.reduce((sum, { chars }) => sum + chars, 0),
    subCalls: rlm?.asked ?? 0,
    underWay: blocks.at(-1)?.end === null ? callsIn(blocks.slice(-1)).filter(isUnderWay).length : 0,
    openGates: openGates(state, activation),
    startedAt: activation.startedAt,
    finishedAt: activation.finishedAt,
    ...spentBetween(turns, blocks, rlm),
  };
}

/** The questions of a run, one per activation of their step, newest last. */
export function questionRows(state: RunState, run: RunFacts): QuestionRow[] {
  return Object.values(state.activations)
    .filter(({ stepId }) => stepDefinition(state, stepId)?.type === QUESTION_STEP)
    .map((activation) => questionRow(state, activation, run));
}
