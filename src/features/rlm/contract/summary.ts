import { own } from '@contract/own';
import { stepDefinition } from '@contract/run/scope/path';
import type { ActivationState, RunState, TurnState } from '@contract/run/state';
import { z } from 'zod';
import type { BlockState, RlmState, SubCall } from './state';

/** The type of the step that is a question. */
export const QUESTION_STEP = 'step.rlm';

/** What a question does, in one word. */
export const questionPhases = [
  /** Reads and keeps its documents. */
  'reading',
  /** The sandbox starts. */
  'starting',
  /** The root model writes. */
  'thinking',
  /** A block computes. */
  'computing',
  /** A block waits for the sub-model. */
  'asking',
  /** The citations of the answer are looked up, and a second model verifies it. */
  'checking',
  /** The disk is full: a block waits until there is space. */
  'held',
  'waiting',
  'cancelling',
  'answered',
  'failed',
  'stopped',
] as const;
export type QuestionPhase = (typeof questionPhases)[number];

export const questionRowSchema = z.lazy(() =>
  z.object({
    runId: z.number().int(),
    activationId: z.number().int(),
    /** As it was asked; of a workflow's step its title. */
    question: z.string(),
    projectId: z.number().int(),
    projectName: z.string(),
    phase: z.enum(questionPhases),
    live: z.boolean(),
    /** The run can be resumed where it ended. */
    resumable: z.boolean(),
    /** A block runs that can be interrupted. */
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
    /** Null: no model told any cost. */
    costUsd: z.number().nullable(),
  }),
);
export type QuestionRow = z.infer<typeof questionRowSchema>;

/** Tokens and money; what was not told counts as nothing. The cost is null where none was told. */
export interface Spent {
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

const answersIn = (blocks: readonly BlockState[]) => callsIn(blocks).flatMap(({ answer }) => answer ?? []);

/** Root model and sub-calls together, and what verified the answer. */
export const spentBetween = (
  turns: readonly TurnState[],
  blocks: readonly BlockState[],
  rlm?: Pick<RlmState, 'verification' | 'codeVerification'>,
): Spent =>
  spentBy([
    ...[...turns, ...answersIn(blocks)],
    ...[rlm?.verification, rlm?.codeVerification].flatMap((one) => one ?? []),
  ]);

/** The turns of the root model that count as an iteration, oldest first: one that was sent again counts once. */
export function iterationTurns(state: RunState, activation: ActivationState): TurnState[] {
  const byOrdinal = new Map<number, TurnState>();
  for (const id of activation.turnIds) {
    const turn = state.turns[id];
    if (turn !== undefined) byOrdinal.set(turn.ordinal, turn);
  }
  return [...byOrdinal.values()].sort((one, other) => one.ordinal - other.ordinal);
}

const configSchema = z.lazy(() =>
  z.object({
    question: z.string().catch('').default(''),
    limits: z.object({ iterations: z.number().catch(20).default(20) }).catch({ iterations: 20 }),
  }),
);

function configOf(state: RunState, { stepId, expanded }: ActivationState) {
  const step = stepDefinition(state, stepId);
  const read = configSchema.safeParse({ limits: {}, ...step?.config });
  const config = read.success ? read.data : { question: '', limits: { iterations: 20 } };
  const question = own(expanded?.texts, 'question') ?? config.question;
  return { ...config, question, title: step?.title ?? stepId };
}

function phaseOf(state: RunState, activation: ActivationState, rlm: RlmState | undefined): QuestionPhase {
  if (activation.status === 'finished') {
    if (activation.outcome === 'succeeded') return 'answered';
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

type RunFacts = Pick<QuestionRow, 'runId' | 'projectName'>;

/** One question as the list shows it. */
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
    interruptible: live && blocks.at(-1)?.end === null,
    iteration: iterationTurns(state, activation).length,
    of: limits.iterations,
    documents: documents.length,
    chars: documents.reduce((sum, { chars }) => sum + chars, 0),
    subCalls: callsIn(blocks).length,
    underWay: blocks.at(-1)?.end === null ? callsIn(blocks.slice(-1)).filter(isUnderWay).length : 0,
    openGates: openGates(state, activation),
    startedAt: activation.startedAt,
    finishedAt: activation.finishedAt,
    ...spentBetween(turns, blocks, rlm),
  };
}

/** The questions of a run, one for each activation of their step, the newest last. */
export function questionRows(state: RunState, run: RunFacts): QuestionRow[] {
  return Object.values(state.activations)
    .filter(({ stepId }) => stepDefinition(state, stepId)?.type === QUESTION_STEP)
    .map((activation) => questionRow(state, activation, run));
}
