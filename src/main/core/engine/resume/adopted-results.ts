import { endSnapshot, turnSnapshot } from '@areas/changes/contract/changes';
import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import { ownerOf, scopeOf, stepTitle } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import { type WorkspaceId, workspaceBefore } from '../folders/workspace';
import type { Plan, PlannedStep } from '../plan/plan';

/** What a run that starts at a step adopts from the earlier run. */
interface Adoption {
  /** One event per adopted result. Results keep their numbers, so references to them stay valid. */
  readonly events: readonly RunEvent[];
  readonly folder: FolderThen;
}

/** The state of the working folder when the step began. */
export type FolderThen =
  /** Nothing had worked in it yet. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'kept'; readonly place: WorkspaceId; readonly snapshot: string }
  /** The start of the branch. */
  | { readonly kind: 'base'; readonly commit: string }
  | { readonly kind: 'gone'; readonly why: string };

/** Decides what a run from `stepId` on adopts from an ended run. */
export function adoptBefore(state: RunState, plan: Plan, stepId: string): Result<Adoption> {
  const refused = refusal(state, plan, stepId);
  if (refused !== null) return err(refused);
  const begun = beginningOf(state, stepId);
  const taken = takenOf(state, plan, { stepId, begun });
  const failed = begun === null ? ancestorsOf(plan, stepId).find((id) => failedIn(taken.get(id))) : undefined;
  if (failed !== undefined)
    return fail(
      'conflict',
      `${stepTitle(state, stepId)} never started, because ${stepTitle(state, failed)} failed.`,
      { mend: `Run again from ${failed}.` },
    );
  const events = [...taken.values()].toSorted((a, b) => a.id - b.id).map((one) => adopted(state, one));
  const from = { stepId, begun, taken };
  const folder = folderThen(state, plan, from);
  const other = folder.kind === 'kept' ? inOtherFolder(state, plan, { ...from, place: folder.place }) : null;
  if (other !== null)
    return fail(
      'conflict',
      `${stepTitle(state, other)} would also run again, and worked in another folder.`,
      { mend: 'Choose a step before both, or start the workflow from the beginning.' },
    );
  return ok({ events, folder });
}

function refusal(state: RunState, plan: Plan, stepId: string) {
  if (state.status !== 'finished')
    return appError('conflict', 'the run is still running', {
      mend: 'Cancel it first, or wait until it ends.',
    });
  const scope = scopeOf(stepId);
  if (scope !== null)
    return appError(
      'input.invalid',
      'a single step of a loop, a fan-out or a called workflow cannot be run again',
      {
        mend: `Run again from ${ownerOf(scope)}.`,
      },
    );
  if (plan.order.includes(stepId)) return null;
  return appError('not_found', `the run has no step ${stepId}`, {
    mend: `Its steps are ${plan.order.join(', ')}.`,
  });
}

/** The newest activation of a step; after automatic retries, the first try. */
function beginningOf(state: RunState, stepId: string): ActivationState | null {
  const all = (ownValue(state.steps, stepId)?.activationIds ?? []).flatMap(
    (id) => state.activations[id] ?? [],
  );
  const first = all.findLastIndex((_, index) => all[index - 1]?.retryTimer === undefined);
  return all[first] ?? null;
}

/**
 * A step of another branch that runs again on adopted results and would start in a folder other than its own.
 */
function inOtherFolder(
  state: RunState,
  plan: Plan,
  { stepId, taken, place }: From & { taken: Taken; place: WorkspaceId },
): string | null {
  const others = plan.order.filter(
    (id) => id !== stepId && !taken.has(id) && plan.steps.get(id)?.ancestors.includes(stepId) === false,
  );
  const continues = (id: string) =>
    plan.steps.get(id)?.cables.some(({ back, fromStep }) => !back && taken.has(fromStep));
  return (
    others.find((id) => continues(id) && placeBehind(state, plan, { stepId: id, taken }) !== place) ?? null
  );
}

const failedIn = (activation: ActivationState | undefined): boolean =>
  activation !== undefined && activation.outcome !== 'succeeded' && activation.outcome !== 'revised';

const ancestorsOf = (plan: Plan, stepId: string): readonly string[] =>
  plan.steps.get(stepId)?.ancestors ?? [];

interface From {
  readonly stepId: string;
  /** Its newest activation; null if it never began. */
  readonly begun: ActivationState | null;
}

type Taken = ReadonlyMap<string, ActivationState>;

/**
 * For each step that does not depend on the chosen one: its newest result from before the chosen step began.
 * A later result of another branch is adopted if it is valid and changed no folder, because the folder starts
 * as it was then.
 */
function takenOf(state: RunState, plan: Plan, { stepId, begun }: From): Taken {
  const taken = new Map<string, ActivationState>();
  const ids = new Set<number>();
  const before = new Set(ancestorsOf(plan, stepId));
  for (const id of plan.order) {
    const step = plan.steps.get(id);
    if (step === undefined || id === stepId || step.ancestors.includes(stepId)) continue;
    const found = newest(state, id, (one) => isBefore(one, begun) || (isGood(one) && !touched(state, one)));
    if (found === null || (!before.has(id) && !isGood(found)) || !hasItsInputs(step, found, ids)) continue;
    taken.set(id, found);
    ids.add(found.id);
  }
  return taken;
}

const isGood = ({ outcome }: ActivationState): boolean => outcome === 'succeeded' || outcome === 'revised';

const isBefore = (one: ActivationState, begun: ActivationState | null): boolean =>
  begun === null || (one.id < begun.id && (one.finishedAt ?? Number.POSITIVE_INFINITY) <= begun.startedAt);

/** Its inputs are adopted too. Feedback from a later step is part of what it then did. */
const hasItsInputs = (
  { cables }: PlannedStep,
  { inputs }: ActivationState,
  ids: ReadonlySet<number>,
): boolean =>
  inputs.every(
    ({ port, fromPort, activationId }) =>
      ids.has(activationId) ||
      cables.some((cable) => cable.back && cable.port === port && cable.fromPort === fromPort),
  );

function newest(
  state: RunState,
  stepId: string,
  fits: (activation: ActivationState) => boolean,
): ActivationState | null {
  const all = (ownValue(state.steps, stepId)?.activationIds ?? []).flatMap(
    (id) => state.activations[id] ?? [],
  );
  return all.findLast((one) => one.status === 'finished' && fits(one)) ?? null;
}

/** Keys of scopes are nested below their owner's key. */
const within = (state: RunState, activation: ActivationState): ActivationState[] => {
  const scopes = new Set(
    Object.values(state.scopes)
      .filter(({ activationId }) => activationId === activation.id)
      .map(({ path }) => path),
  );
  if (scopes.size === 0) return [activation];
  const inner = Object.values(state.activations).filter(({ stepId }) => scopes.has(scopeOf(stepId) ?? ''));
  return [activation, ...inner.flatMap((one) => within(state, one))];
};

/** Whether any part of it may have changed files. */
const touched = (state: RunState, activation: ActivationState): boolean =>
  within(state, activation).some(
    ({ turnIds, commandIds }) =>
      commandIds.length > 0 ||
      turnIds.some((id) => {
        const turn = state.turns[id];
        return (
          turn !== undefined && (turn.changes === null ? mayHaveChanged(state, id) : turn.changes.files > 0)
        );
      }),
  );

/** An agent that works in a folder, during a turn whose changes are unknown. */
const mayHaveChanged = (state: RunState, turnId: number): boolean => {
  const turn = state.turns[turnId];
  return turn !== undefined && (turn.unkept !== undefined || turn.status === 'interrupted');
};

function adopted(state: RunState, activation: ActivationState): RunEvent {
  const { id, stepId, attempt, inputs, outcome, outputs, signals, receipt, warnings, error } = activation;
  return {
    type: 'activation.adopted',
    activationId: id,
    stepId,
    attempt,
    inputs: inputs.map((input) => ({ ...input })),
    outcome: outcome ?? 'failed',
    outputs: { ...outputs },
    signals: [...signals],
    receipt: { ...receipt },
    warnings: [...warnings],
    error,
    from: activation.adopted ?? { uid: state.uid, at: activation.finishedAt ?? activation.startedAt },
  };
}

/** Something that happened in a folder, with the snapshot taken after it; null: none was taken. */
interface Touch {
  readonly from: number;
  readonly snapshot: string | null;
  readonly what: string;
}

function folderThen(
  state: RunState,
  plan: Plan,
  { stepId, begun, taken }: From & { taken: Taken },
): FolderThen {
  if (state.workspaceStatus !== 'ready') return { kind: 'fresh' };
  const place = placeThen(state, plan, { stepId, begun, taken });
  const [first] =
    begun === null
      ? []
      : within(state, begun)
          .flatMap(({ turnIds }) => turnIds)
          .toSorted((a, b) => a - b);
  const start = begun?.startedAt ?? Number.POSITIVE_INFINITY;
  const all = touches(state, place);
  const past = all.filter(({ from }) => from < start);
  const last = past.at(-1);
  const firstTurn = first === undefined ? undefined : state.turns[first];
  if (firstTurn !== undefined && (firstTurn.changes !== null || firstTurn.status === 'interrupted'))
    return { kind: 'kept', place, snapshot: turnSnapshot(state.uid, firstTurn.id, 'before') };
  if (last === undefined) return beginning(state, place);
  if (last.snapshot !== null) return { kind: 'kept', place, snapshot: last.snapshot };
  const branch = (place === null ? state.workspace : state.workspaces[place])?.branch ?? null;
  // Nothing has happened there since, so it is as kept at the end of the run.
  if (past.length === all.length && branch !== null)
    return { kind: 'kept', place, snapshot: endSnapshot(state.uid, branch) };
  return {
    kind: 'gone',
    why: `No snapshot of the folder was taken after ${last.what}, which came before the step.`,
  };
}

function beginning(state: RunState, place: WorkspaceId): FolderThen {
  if (state.workspaceMode === 'folder' && place === null) return { kind: 'fresh' };
  const commit = (place === null ? state.workspace : state.workspaces[place])?.baseCommit ?? null;
  return commit === null
    ? { kind: 'gone', why: 'The initial state of the folder is unknown.' }
    : { kind: 'base', commit };
}

/** The folder that the step worked in, or would have. */
function placeThen(
  state: RunState,
  plan: Plan,
  { stepId, begun, taken }: From & { taken: Taken },
): WorkspaceId {
  if (begun !== null) {
    const inner = within(state, begun);
    const session = inner.flatMap(({ sessionIds }) => sessionIds).map((id) => state.sessions[id])[0];
    if (session !== undefined) return session.workspaceId;
    return workspaceBefore(state, begun);
  }
  return placeBehind(state, plan, { stepId, taken });
}

/** The folder in which a step that has not begun would work. */
function placeBehind(
  state: RunState,
  plan: Plan,
  { stepId, taken }: Pick<From, 'stepId'> & { taken: Taken },
): WorkspaceId {
  const inputsOf = (id: string): ActivationState['inputs'] =>
    (plan.steps.get(id)?.cables ?? []).flatMap(({ fromStep, fromPort, port, back, firesWhenSkipped }) => {
      const source = back ? undefined : taken.get(fromStep);
      if (source !== undefined) return [{ activationId: source.id, fromPort, port }];
      return firesWhenSkipped ? inputsOf(fromStep) : [];
    });
  const inputs = inputsOf(stepId);
  return workspaceBefore(state, { id: Number.POSITIVE_INFINITY, stepId, inputs });
}

function touches(state: RunState, place: WorkspaceId): Touch[] {
  const title = (activationId: number) => stepTitle(state, state.activations[activationId]?.stepId ?? '');
  const turns = Object.values(state.turns).flatMap((turn): Touch[] => {
    if ((state.sessions[turn.sessionId]?.workspaceId ?? null) !== place) return [];
    if (turn.changes === null && !mayHaveChanged(state, turn.id)) return [];
    const snapshot = turn.changes === null ? null : turnSnapshot(state.uid, turn.id, 'after');
    return [{ from: turn.startedAt, snapshot, what: `a turn of ${title(turn.activationId)}` }];
  });
  const commands = Object.values(state.commands).flatMap((command): Touch[] =>
    command.workspaceId === place
      ? [{ from: command.startedAt, snapshot: null, what: `a command of ${title(command.activationId)}` }]
      : [],
  );
  return [...turns, ...commands].toSorted((a, b) => a.from - b.from);
}
