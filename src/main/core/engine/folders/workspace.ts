import { appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { isPass, keyIn, ownerOf, scopeOf, scopePath } from '@contract/run/scope/path';
import type { ActivationState, RunState, ScopeState, WorkspaceState } from '@contract/run/state';
import type { TurnDecision } from '../../step/decision';
import type { DecisionInput } from '../base/decision-input';
import { endActivation } from '../base/finish';
import { lastActivation } from '../schedule/last-activation';

/** A working folder by number; null is the run's own. */
export type WorkspaceId = number | null;

/**
 * Where a step's work starts if its inputs do not say: in a pass of a loop, where the previous pass ended.
 */
interface Root {
  /** Inputs from outside this scope do not count; null: every input counts. */
  readonly within: string | null;
  readonly place: WorkspaceId;
}

/**
 * The working folder of the incoming work: the folder of the input's step, or of that step's own input. If
 * inputs differ, or parallel agents' work is not merged, it is the run's own.
 */
export function workspaceBefore(
  state: RunState,
  activation: Pick<ActivationState, 'id' | 'stepId' | 'inputs'>,
): WorkspaceId {
  if (state.last.workspace === 0) return null;
  const root = rootOf(state, activation.stepId);
  const place = placeOfInputs(state, activation, { root, seen: new Set([activation.id]) });
  const scope = isolatedAround(state, activation.stepId);
  if (scope === null || isIn(state, place, scope)) return place;
  const scopeWorkspace = workspaceOf(state, scope);
  return scopeWorkspace?.status === 'ready' ? scopeWorkspace.id : place;
}

function rootOf(state: RunState, stepKey: string): Root {
  for (let path = scopeOf(stepKey); path !== null; path = scopeOf(ownerOf(path))) {
    const { after = null } = ownValue(state.scopes, path) ?? {};
    if (after !== null) return { within: path, place: placeAtEnd(state, after) };
  }
  return { within: null, place: null };
}

interface Walk {
  readonly root: Root;
  readonly seen: Set<number>;
}

function placeOfInputs(
  state: RunState,
  { inputs }: Pick<ActivationState, 'inputs'>,
  walk: Walk,
): WorkspaceId {
  const found = new Set(inputs.map((input) => workspaceAfter(state, input.activationId, walk)));
  const [only = null] = found;
  return found.size === 1 ? only : walk.root.place;
}

function workspaceAfter(state: RunState, activationId: number, walk: Walk): WorkspaceId {
  const { root, seen } = walk;
  const activation = state.activations[activationId];
  if (activation === undefined || seen.has(activationId)) return root.place;
  if (root.within !== null && !activation.stepId.startsWith(`${root.within}/`)) return root.place;
  seen.add(activationId);
  const made = activation.workspaceIds.flatMap((id) => state.workspaces[id] ?? []);
  if (made.some(({ lane }) => lane !== null)) return root.place;
  const ready = made.find(({ status, scope }) => status === 'ready' && scope === undefined);
  if (ready !== undefined) return ready.id;
  const session = state.sessions[activation.sessionIds.at(-1) ?? 0];
  if (session !== undefined) return session.workspaceId;
  const last = lastScope(state, activation);
  if (last !== null) return placeAtEnd(state, last.path);
  const command = state.commands[activation.commandIds.at(-1) ?? 0];
  return command === undefined ? placeOfInputs(state, activation, walk) : command.workspaceId;
}

/** The scope in which a step's work ended: its only one, or its last pass. Items of a list are not merged. */
function lastScope(state: RunState, activation: ActivationState): ScopeState | null {
  const { opened = 0 } = activation.scopes ?? {};
  if (opened === 0) return null;
  const only = ownValue(state.scopes, scopePath(activation, null));
  const last = only ?? ownValue(state.scopes, scopePath(activation, opened));
  return last !== undefined && (last === only || isPass(last)) ? last : null;
}

/** The working folder of a scope's last steps. */
function placeAtEnd(state: RunState, path: string): WorkspaceId {
  const newest = Object.values(state.steps).flatMap(({ id, skipped }) =>
    skipped === null && scopeOf(id) === path ? (lastActivation(state, id) ?? []) : [],
  );
  const used = new Set(newest.flatMap(({ inputs }) => inputs.map((input) => input.activationId)));
  const lasts = newest.filter(({ id }) => !used.has(id));
  const root = rootOf(state, keyIn(path, 'end'));
  const found = new Set(lasts.map(({ id }) => workspaceAfter(state, id, { root, seen: new Set() })));
  const [only = root.place] = found;
  return found.size === 1 ? only : root.place;
}

/** The innermost scope around a step that has its own worktree. */
function isolatedAround(state: RunState, stepKey: string): ScopeState | null {
  for (let path = scopeOf(stepKey); path !== null; path = scopeOf(ownerOf(path))) {
    const scope = ownValue(state.scopes, path);
    if (scope?.isolated === true) return scope;
  }
  return null;
}

const workspaceOf = (state: RunState, { workspaceId }: ScopeState): WorkspaceState | undefined =>
  state.workspaces[workspaceId ?? 0];

/** Whether a working folder was made for a scope or inside it. */
function isIn(state: RunState, place: WorkspaceId, { path }: ScopeState): boolean {
  const made = place === null ? undefined : state.workspaces[place];
  if (made === undefined) return false;
  const { stepId = '' } = state.activations[made.activationId] ?? {};
  return made.scope === path || stepId.startsWith(`${path}/`) || made.scope?.startsWith(`${path}/`) === true;
}

/** The branch with a scope's work, if it has its own. */
export function branchOfScope(state: RunState, scope: ScopeState): string | null {
  if (state.last.workspace === 0) return null;
  const place = placeAtEnd(state, scope.path);
  const made = isIn(state, place, scope) ? state.workspaces[place ?? 0] : workspaceOf(state, scope);
  return made?.branch ?? null;
}

interface FolderRequest extends Pick<TurnDecision, 'ownWorkspace' | 'lane'> {
  /** Whether the work there can change files. */
  readonly changesFiles: boolean;
}

/** The folder for a new session or command, or what must happen before it exists. */
export function placeFor(
  moment: DecisionInput,
  activation: ActivationState,
  { ownWorkspace, lane, changesFiles }: FolderRequest,
): { readonly workspaceId: WorkspaceId } | RunEvent[] {
  const { state } = moment;
  const before = workspaceBefore(state, activation);
  if (ownWorkspace === undefined || state.workspaceMode === 'project') {
    const scope = changesFiles ? isolatedAround(state, activation.stepId) : null;
    if (scope === null || isIn(state, before, scope)) return { workspaceId: before };
    const request = { activationId: scope.activationId, lane: null, scope: scope.path, from: before };
    return readyOr(moment, { activation, made: workspaceOf(state, scope), request });
  }
  const owner = ownWorkspace === 'lane' ? (lane ?? null) : null;
  const made = activation.workspaceIds.map((id) => state.workspaces[id]).find((one) => one?.lane === owner);
  const from = earlier(state, activation, owner) ?? before;
  return readyOr(moment, { activation, made, request: { activationId: activation.id, lane: owner, from } });
}

interface Asking {
  readonly activation: ActivationState;
  readonly made: WorkspaceState | undefined;
  readonly request: Omit<RunEventOf<'workspace.requested'>, 'type' | 'workspaceId'>;
}

function readyOr(
  moment: DecisionInput,
  { activation, made, request }: Asking,
): { readonly workspaceId: WorkspaceId } | RunEvent[] {
  switch (made?.status) {
    case 'ready':
      return { workspaceId: made.id };
    case 'requested':
      return [];
    case 'failed':
      return endActivation(
        moment,
        activation,
        made.error ?? appError('workspace.failed', 'no working folder'),
      );
    case undefined:
      return [{ type: 'workspace.requested', workspaceId: moment.state.last.workspace + 1, ...request }];
  }
}

/** A revision continues in the folder of the step's earlier activation. */
function earlier(state: RunState, activation: ActivationState, lane: string | null): WorkspaceId {
  const ids = ownValue(state.steps, activation.stepId)?.activationIds ?? [];
  const previous = ids
    .filter((id) => id < activation.id)
    .flatMap((id) => state.activations[id]?.workspaceIds ?? []);
  return (
    previous.findLast(
      (id) => state.workspaces[id]?.lane === lane && state.workspaces[id]?.status === 'ready',
    ) ?? null
  );
}
