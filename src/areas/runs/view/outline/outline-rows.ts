import { ownValue } from '@contract/own';
import { bodyOf, indexOf, keyIn, ownerOf, scopeOf, stepDefinition } from '@contract/run/scope/path';
import type { RunState, ScopeState } from '@contract/run/state';
import { waitingSteps } from '@contract/run/waiting';
import { shownText } from '@contract/whole-text';
import { stepMarks } from '@features/marks';
import { outcomeWords, stepWords, type Word } from '@renderer/parts/words/status-words';
import { graphOrder } from '../parts/graph-order';
import { attempts, type StepNow, stepNow } from '../parts/run-now';

interface OutlinePlace {
  readonly key: string;
  /** Counts from 1. */
  readonly level: number;
  /** Null if it has no children. */
  readonly open: boolean | null;
  readonly height: number;
}

export type OutlineRow =
  | (OutlinePlace & {
      readonly kind: 'step';
      readonly stepKey: string;
      readonly title: string;
      readonly now: StepNow;
      readonly attempts: number;
      /** Text below the title, besides the time. */
      readonly note: string | null;
    })
  | (OutlinePlace & {
      readonly kind: 'scope';
      readonly title: string;
      readonly word: Word;
      readonly note: string | null;
    });

/** What the operator expanded and collapsed; everything else is expanded while it works. */
export type Opened = ReadonlyMap<string, boolean>;

const ONE_LINE = 30;
const TWO_LINES = 46;
/** If more scopes than these are working, they are not expanded automatically. */
const MOST_OPENED = 8;

interface Outlined {
  readonly state: RunState;
  readonly opened: Opened;
  readonly scopes: ReadonlyMap<string, readonly ScopeState[]>;
  /** Steps that have state, by their scope. */
  readonly inScope: ReadonlyMap<string, readonly string[]>;
  /** Scopes, and steps with scopes, in which a step waits for the operator. */
  readonly asking: ReadonlySet<string>;
}

/** The steps of a run as a tree: a step, its passes, items or called workflow, and the steps inside. */
export function outlineRows(state: RunState, opened: Opened): OutlineRow[] {
  const outlined: Outlined = {
    state,
    opened,
    scopes: groupBy(Object.values(state.scopes), ({ path }) => ownerOf(path)),
    inScope: groupBy(Object.keys(state.steps), (key) => scopeOf(key) ?? ''),
    asking: asking(state),
  };
  const ids = graphOrder(state.definition).map(({ id }) => id);
  return ids.flatMap((id) => stepRows(outlined, id, 1));
}

function stepRows(outlined: Outlined, stepKey: string, level: number): OutlineRow[] {
  const { state, scopes: all, opened, asking: asks } = outlined;
  const scopes = all.get(stepKey) ?? [];
  const now = stepNow(state, stepKey);
  const works = now.last?.status === 'running';
  const open = scopes.length === 0 ? null : (opened.get(stepKey) ?? works);
  const error = now.last?.outcome === 'failed' ? now.last.error?.message : undefined;
  const note = now.note ?? error ?? scopeNote(now, scopes);
  const row: OutlineRow = {
    kind: 'step',
    key: stepKey,
    stepKey,
    level,
    open,
    note,
    attempts: attempts(state, stepKey),
    title: stepDefinition(state, stepKey)?.title ?? stepKey.slice(stepKey.lastIndexOf('/') + 1),
    now: works && asks.has(stepKey) ? { ...now, word: stepWords.waiting } : now,
    height: now.last === null && note === null ? ONE_LINE : TWO_LINES,
  };
  if (open !== true) return [row];
  const working = scopes.filter(({ status }) => status !== 'ended').length;
  const shown: Shown = {
    level: level + 1,
    only: scopes.length === 1,
    few: working <= MOST_OPENED,
    noun: ownValue(stepMarks, stepDefinition(state, stepKey)?.type ?? '')?.scopeNoun ?? 'Part',
  };
  return [row, ...scopes.flatMap((scope) => scopeRows(outlined, scope, shown))];
}

/** How the scopes of one step are shown. */
interface Shown {
  readonly level: number;
  readonly only: boolean;
  /** Only a few are working: they are expanded automatically. */
  readonly few: boolean;
  readonly noun: string;
}

/** A scope without a number is the only one of its step: its steps are direct children of that step. */
function scopeRows(outlined: Outlined, scope: ScopeState, shown: Shown): OutlineRow[] {
  const { state, opened, asking: asks } = outlined;
  const { level, only, few, noun } = shown;
  const steps = (at: number) => stepsIn(outlined, scope).flatMap((key) => stepRows(outlined, key, at));
  if (scope.index === null && only) return steps(level);
  const open = opened.get(scope.path) ?? (scope.status !== 'ended' && few);
  const item = ownValue(scope.values, 'ITEM');
  const note = scope.error?.message ?? (item === undefined ? scopeName(state, scope) : shownText(item));
  const row: OutlineRow = {
    kind: 'scope',
    key: scope.path,
    level,
    open,
    title: scopeTitle(state, scope, noun),
    note,
    word: wordOf(scope, asks.has(scope.path)),
    height: note === null ? ONE_LINE : TWO_LINES,
  };
  return open ? [row, ...steps(level + 1)] : [row];
}

function wordOf({ status, outcome }: ScopeState, asks: boolean): Word {
  if (status === 'ended') return outcomeWords[outcome ?? 'failed'];
  return asks ? stepWords.waiting : stepWords.running;
}

/** The steps of its body in the order of the graph, then those created by its module. */
function stepsIn({ state, inScope }: Outlined, { path }: ScopeState): string[] {
  const owner = stepDefinition(state, ownerOf(path));
  const body = owner === undefined ? null : bodyOf(state, owner, indexOf(path));
  const planned = body === null ? [] : graphOrder(body).map(({ id }) => keyIn(path, id));
  const known = new Set(planned);
  return [...planned, ...(inScope.get(path) ?? []).filter((key) => !known.has(key))];
}

function scopeTitle(state: RunState, { index, values, activationId }: ScopeState, noun: string): string {
  const attempt = state.activations[activationId]?.attempt ?? 1;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  if (index === null) return `Steps${again}`;
  return `${Object.hasOwn(values, 'ITEM') ? 'Item' : noun} ${index}${again}`;
}

/** The author's name for a scope of the step. */
function scopeName(state: RunState, { path, index }: ScopeState): string | null {
  const step = stepDefinition(state, ownerOf(path));
  return ownValue(stepMarks, step?.type ?? '')?.scopeName?.(step?.config, index ?? 0) ?? null;
}

/** How many of its passes or items have ended. */
function scopeNote({ last }: StepNow, scopes: readonly ScopeState[]): string | null {
  if (scopes.length < 2 || last?.scopes === undefined) return null;
  const { opened, open, failed } = last.scopes;
  const parts = [`${opened - open - failed} done`, `${open} running`, `${failed} failed`];
  return parts.filter((part) => !part.startsWith('0 ')).join(', ');
}

function asking(state: RunState): Set<string> {
  const found = new Set<string>();
  for (const key of waitingSteps(state)) {
    for (let scope = scopeOf(key); scope !== null; scope = scopeOf(ownerOf(scope))) {
      found.add(scope);
      found.add(ownerOf(scope));
    }
  }
  return found;
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}
