import { asksInside, attempts, stepNow } from '@areas/runs/view/parts/run-now';
import { ownValue } from '@contract/own';
import { keyIn, ownerOf, stepDefinition } from '@contract/run/scope/path';
import { spent } from '@contract/run/spend';
import type { ActivationState, RunState, ScopeState } from '@contract/run/state';
import { shownText } from '@contract/whole-text';
import { spend } from '@renderer/client/format';
import { stepWords } from '@renderer/parts/words/status-words';
import { type CableFace, keptFace, type ScopeChoice, type StepFace } from '../flow/faces';
import type { CanvasCable, CanvasGraph } from '../graph/graph';

/** The shown scope of each step with a body, by the key on the canvas. */
export type Chosen = ReadonlyMap<string, string>;

export interface RunFaces {
  readonly steps: ReadonlyMap<string, StepFace>;
  readonly cables: ReadonlyMap<string, CableFace>;
  /** The key in the run of each drawn step, including its scope; absent if there is none yet. */
  readonly keys: ReadonlyMap<string, string>;
  /** The state they were computed from. */
  readonly of: RunState;
}

interface Shown {
  readonly graph: CanvasGraph;
  readonly chosen: Chosen;
  /** The previous result. Equal faces stay the same objects. */
  readonly before: RunFaces | null;
}

/** What a run shows on its workflow, at the moment of `state`. */
export function runFaces(state: RunState, { graph, chosen, before }: Shown): RunFaces {
  const scopes = new Map<string, ScopeState[]>();
  for (const scope of Object.values(state.scopes)) {
    const owner = ownerOf(scope.path);
    scopes.set(owner, [...(scopes.get(owner) ?? []), scope]);
  }
  const isAsBefore = before === null ? () => false : sameSteps(before.of, state);
  const keys = new Map<string, string>();
  const shown = new Map<string, string>();
  const steps = new Map<string, StepFace>();
  for (const { key, id, parent, body, step } of graph.steps) {
    if (step === null) continue;
    const scope = parent === null ? null : shown.get(parent);
    if (scope === undefined) {
      steps.set(key, NOT_BEGUN);
      continue;
    }
    const real = keyIn(scope, id);
    keys.set(key, real);
    const all = scopes.get(real) ?? [];
    const choice = body === null || all.length === 0 ? null : choiceOf(state, all, chosen.get(key));
    if (choice !== null) shown.set(key, choice.shown);
    const last = before?.keys.get(key) === real ? before.steps.get(key) : undefined;
    const same = last !== undefined && choice === null && last.scopes === null && isAsBefore(real);
    steps.set(key, same ? last : keptFace(last, faceOf(state, real, choice)));
  }
  return { steps, cables: cableFaces(state, { graph, keys, before, isAsBefore }), keys, of: state };
}

/**
 * Whether a step is unchanged since an earlier state. An event changes few steps, and unchanged parts of a
 * state stay the same objects.
 */
function sameSteps(last: RunState, state: RunState): (key: string) => boolean {
  if (last.gates !== state.gates || last.timers !== state.timers || last.scopes !== state.scopes)
    return () => false;
  const known = new Map<string, boolean>();
  const same = (key: string): boolean => {
    const step = ownValue(state.steps, key);
    if (step !== ownValue(last.steps, key)) return false;
    return (step?.activationIds ?? []).every((id) => {
      const one = state.activations[id];
      return (
        one === last.activations[id] &&
        (one?.turnIds ?? []).every((turn) => state.turns[turn] === last.turns[turn])
      );
    });
  };
  return (key) => {
    const found = known.get(key) ?? same(key);
    known.set(key, found);
    return found;
  };
}

interface Cabled extends Pick<Shown, 'graph' | 'before'> {
  readonly keys: ReadonlyMap<string, string>;
  readonly isAsBefore: (key: string) => boolean;
}

function cableFaces(state: RunState, { graph, keys, before, isAsBefore }: Cabled): Map<string, CableFace> {
  const isSame = (step: string): boolean => {
    const key = keys.get(step);
    return key === before?.keys.get(step) && (key === undefined || isAsBefore(key));
  };
  return new Map(
    graph.cables.map((cable): [string, CableFace] => {
      const last = before?.cables.get(cable.key);
      const same = last !== undefined && isSame(cable.from.step) && isSame(cable.to.step);
      return [cable.key, same ? last : cableFace(state, cable, keys)];
    }),
  );
}

const NOT_BEGUN: StepFace = {
  word: stepWords.pending,
  since: null,
  until: null,
  note: null,
  attempt: 1,
  spend: '',
  part: null,
  gate: null,
  scopes: null,
};

function faceOf(state: RunState, key: string, scopes: ScopeChoice | null): StepFace {
  const now = stepNow(state, key);
  const { last } = now;
  const gate = last?.gateIds.findLast((id) => state.gates[id]?.status === 'open') ?? null;
  const asks = last?.status === 'running' && asksInside(state, key);
  const error = last?.outcome === 'failed' ? (last.error?.message ?? null) : null;
  return {
    word: asks ? stepWords.waiting : now.word,
    since: last === null ? null : gate === null ? last.startedAt : (state.gates[gate]?.openedAt ?? null),
    until: last?.finishedAt ?? null,
    note:
      [scopeNote(last, scopes, mostOf(state, key)), now.note ?? error ?? answerOf(state, last)]
        .filter(Boolean)
        .join(' · ') || null,
    attempt: attempts(state, key),
    spend: spendOf(state, last),
    part: now.part,
    gate,
    scopes,
  };
}

/** The answer at its last gate. */
function answerOf({ gates }: RunState, last: ActivationState | null): string | null {
  const gate = gates[last?.gateIds.at(-1) ?? 0];
  if (gate === undefined || gate.answer === null) return null;
  const { option } = gate.answer;
  return gate.options.find(({ id }) => id === option)?.label ?? option;
}

function spendOf({ turns }: RunState, last: ActivationState | null): string {
  let all = { tokens: 0, cost_usd: 0, untold: 0 };
  for (const id of last?.turnIds ?? []) all = spent(all, turns[id]?.usage ?? null);
  return spend(all.tokens, all.cost_usd);
}

const isItem = ({ values }: ScopeState): boolean => Object.hasOwn(values, 'ITEM');

function choiceOf(state: RunState, all: readonly ScopeState[], wanted: string | undefined): ScopeChoice {
  const shown =
    all.find(({ path }) => path === wanted) ?? all.findLast(({ status }) => status !== 'ended') ?? all.at(-1);
  const word = all.some(isItem) ? 'Item' : 'Pass';
  const label = ({ index, values, activationId }: ScopeState): string => {
    const attempt = state.activations[activationId]?.attempt ?? 1;
    const again = attempt > 1 ? `, attempt ${attempt}` : '';
    const item = ownValue(values, 'ITEM');
    return `${index === null ? 'Steps' : `${word} ${index}`}${again}${item === undefined ? '' : `: ${shownText(item).slice(0, 40)}`}`;
  };
  return {
    word,
    shown: shown?.path ?? '',
    all: all.map((scope) => ({ path: scope.path, label: label(scope) })),
  };
}

/** `Iteration 4/10` of a loop, or the number of its completed items. */
function scopeNote(
  last: ActivationState | null,
  choice: ScopeChoice | null,
  most: number | null,
): string | null {
  if (last?.scopes === undefined || choice === null || choice.all.length === 0) return null;
  const { opened, open, failed } = last.scopes;
  if (choice.word === 'Pass') return most === null ? null : `Iteration ${opened}/${most}`;
  return `${opened - open}/${opened} items${failed > 0 ? `, ${failed} failed` : ''}`;
}

function mostOf(state: RunState, key: string): number | null {
  const most = stepDefinition(state, key)?.config?.max_iterations;
  return typeof most === 'number' ? most : null;
}

/** What crossed a cable in the newest activation of its source step. */
function cableFace(state: RunState, cable: CanvasCable, keys: ReadonlyMap<string, string>): CableFace {
  const from = keys.get(cable.from.step);
  const all = activationsOf(state, from);
  const times = all.filter((one) => firedAt(one, cable.from.port)).length;
  const last = all.at(-1);
  const skipped = from !== undefined && ownValue(state.steps, from)?.skipped != null;
  if (last === undefined || last.status === 'running')
    return { state: skipped ? 'missed' : times > 0 ? 'crossed' : 'open', times };
  if (firedAt(last, cable.from.port)) {
    const target = activationsOf(state, keys.get(cable.to.step)).at(-1);
    const active =
      target?.status === 'running' && target.inputs.some((input) => input.activationId === last.id);
    return { state: active ? 'active' : 'crossed', times };
  }
  if (last.outcome === 'failed') return { state: 'failed', times };
  // A cable that was taken stays taken, also where its step came to another result later.
  return { state: times > 0 ? 'crossed' : 'missed', times };
}

const activationsOf = (state: RunState, key: string | undefined): readonly ActivationState[] =>
  (key === undefined ? [] : (ownValue(state.steps, key)?.activationIds ?? [])).flatMap(
    (id) => state.activations[id] ?? [],
  );

const firedAt = ({ outputs, signals }: ActivationState, port: string): boolean =>
  Object.hasOwn(outputs, port) || signals.includes(port);
