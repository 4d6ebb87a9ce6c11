import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { err, ok, type Result, unreachable } from '@contract/result';
import { applyChange, type Change, isMap, type JsonMap, valueAt } from './change';
import type { StepPath, ValuePath, WorkflowEdit } from './edit';

/**
 * A text that refers to a renamed step, with the new id. `path` starts at the step that contains the text.
 */
export interface RenamedText {
  readonly path: ValuePath;
  readonly text: string;
}

/**
 * The texts of one step, without its body, that change when the step `from` is renamed to `to`. The core
 * knows them from its modules' template fields.
 */
export type RenamedTexts = (step: Json, from: string, to: string) => readonly RenamedText[];

/** The order of keys in a new file; an added key is placed after those before it. */
const STEP_KEYS = [
  ...['id', 'type', 'title', 'disabled', 'on_interrupt', 'trigger_rule', 'when', 'retry', 'timeout_minutes'],
  ...['output_format', 'position', 'config'],
];
const WORKFLOW_KEYS = [
  ...['name', 'description', 'workspace', 'worktree', 'max_parallel', 'budget', 'inputs', 'base_branch'],
  ...['docs_dir', 'returns', 'steps', 'cables'],
];
const BODY_KEYS = ['steps', 'cables', 'output'];

/** The path from a step to its body. */
const BODY = ['config', 'body'] as const;

/**
 * The definition after an edit. It need not be valid. Without `renamed`, a rename changes ids and cables but
 * no text. Errors: `edit.no_place` if the step, cable or place does not exist; `edit.refused` if the edit
 * makes no sense there.
 */
export function applyEdit<T>(definition: T, edit: WorkflowEdit, renamed?: RenamedTexts): Result<T> {
  const changes = changesOf(definition as Json, edit, renamed);
  if (!changes.ok) return changes;
  return ok(changes.value.reduce<Json>(applyChange, definition as Json) as T);
}

/** The single changes that make up an edit; none if the file already matches. */
export function changesOf(
  document: Json,
  edit: WorkflowEdit,
  renamed: RenamedTexts = () => [],
): Result<readonly Change[]> {
  try {
    return ok(lowered(document, edit, renamed));
  } catch (cause) {
    if (cause instanceof Refusal) return err(cause.error);
    throw cause;
  }
}

/** Thrown from any depth below; `changesOf` converts it into a result. */
class Refusal extends Error {
  constructor(readonly error: AppError) {
    super(error.message);
  }
}

const noPlace = (message: string): Refusal =>
  new Refusal(appError('edit.no_place', message, { mend: 'look at the file as it is now, and edit that' }));
const refusal = (message: string, mend: string): Refusal =>
  new Refusal(appError('edit.refused', message, { mend }));

function lowered(document: Json, edit: WorkflowEdit, renamed: RenamedTexts): readonly Change[] {
  switch (edit.kind) {
    case 'step.add':
      return addStep(document, edit);
    case 'step.remove':
      return removeStep(document, edit.step);
    case 'step.rename':
      return renameStep(document, edit, renamed);
    case 'step.move':
      return moveStep(document, edit);
    case 'value.set':
      return setValue(document, edit);
    case 'value.unset':
      return unsetValue(document, edit);
    case 'list.insert':
    case 'list.remove':
    case 'list.move':
      return changeList(document, edit);
    case 'cable.add':
    case 'cable.remove':
    case 'cable.reconnect':
      return changeCable(document, edit);
    default:
      return unreachable(edit);
  }
}

/** The path of a step in a document; null if it does not exist. */
export function pathOfStep(document: Json, [first, ...inner]: StepPath): ValuePath | null {
  const steps = listAt(document, ['steps']);
  const index = steps.findIndex((step) => isMap(step) && step.id === first);
  if (index < 0) return null;
  const path = ['steps', index];
  if (inner.length === 0) return path;
  const found = pathOfStep(valueAt(document, [...path, ...BODY]) ?? null, inner);
  return found === null ? null : [...path, ...BODY, ...found];
}

function stepAt(document: Json, step: StepPath): ValuePath {
  const path = pathOfStep(document, step);
  if (path === null) throw noPlace(`there is no step "${step.join('/')}"`);
  return path;
}

const bodyAt = (document: Json, owners: StepPath): ValuePath =>
  owners.length === 0 ? [] : [...stepAt(document, owners), ...BODY];

function listAt(document: Json | undefined, path: ValuePath): readonly Json[] {
  const list = valueAt(document, path);
  return Array.isArray(list) ? list : [];
}

const keysOf = (body: StepPath): readonly string[] => (body.length === 0 ? WORKFLOW_KEYS : BODY_KEYS);

/** The keys after which a new key of a map is placed. */
function keysBefore(keys: readonly string[], key: string | number | undefined): readonly string[] {
  const at = keys.indexOf(String(key));
  return at < 0 ? [] : keys.slice(0, at);
}

/** Sets a value. If a map on the path is missing or empty, the value of its parent map is set instead. */
function setting(
  document: Json,
  path: ValuePath,
  how: Pick<Change & { op: 'set' }, 'value' | 'after'>,
): Change {
  for (let length = 0; length < path.length; length += 1) {
    const held = valueAt(document, path.slice(0, length));
    if (held === undefined || held === null) {
      const value = path.slice(length).reduceRight<Json>((inner, key) => made(key, inner), how.value);
      return { op: 'set', path: path.slice(0, length), value };
    }
    const key = path[length];
    if (Array.isArray(held) && (typeof key !== 'number' || key >= held.length))
      throw noPlace(`there is no entry ${shown(path.slice(0, length + 1))}`);
    if (typeof held !== 'object')
      throw refusal(`${shown(path.slice(0, length))} is a single value`, 'set it first');
  }
  return { op: 'set', path, ...how };
}

function made(key: string | number, inner: Json): Json {
  if (typeof key === 'number') throw noPlace(`there is no list with an entry ${key}`);
  return Object.fromEntries([[key, inner]]);
}

/** Appends to or inserts into a list, which is created if missing. */
function inserting(
  document: Json,
  path: ValuePath,
  { value, at, after }: { value: Json; at?: number | undefined; after?: readonly string[] },
): Change {
  const list = valueAt(document, path);
  if (list !== undefined && list !== null && !Array.isArray(list))
    throw refusal(`${shown(path)} is no list`, 'set it to a list first');
  const length = list?.length ?? 0;
  if ((at ?? 0) > length) throw noPlace(`${shown(path)} has ${length} entries`);
  if (list == null) return setting(document, path, { value: [value], ...(after ? { after } : {}) });
  return { op: 'insert', path, at: at ?? length, value };
}

function addStep(document: Json, { body, step, at }: WorkflowEdit & { kind: 'step.add' }): readonly Change[] {
  const place = bodyAt(document, body);
  if (pathOfStep(valueAt(document, place) ?? null, [step.id]) !== null)
    throw refusal(`there is a step "${step.id}" already`, 'choose another id');
  const after = keysBefore(keysOf(body), 'steps');
  return [inserting(document, [...place, 'steps'], { value: step as JsonMap, at, after })];
}

const endOf = (ref: Json | undefined): string => (typeof ref === 'string' ? (ref.split('.')[0] ?? '') : '');

function removeStep(document: Json, step: StepPath): readonly Change[] {
  const path = stepAt(document, step);
  const list = path.slice(0, -1);
  const cables = [...list.slice(0, -1), 'cables'];
  const id = step.at(-1);
  const loose = listAt(document, cables).flatMap((cable, at) =>
    isMap(cable) && (endOf(cable.from) === id || endOf(cable.to) === id) ? [at] : [],
  );
  return [
    { op: 'remove', path: list, at: Number(path.at(-1)) },
    ...loose.reverse().map((at): Change => ({ op: 'remove', path: cables, at })),
  ];
}

function renameStep(
  document: Json,
  { step, id: to }: WorkflowEdit & { kind: 'step.rename' },
  renamed: RenamedTexts,
): readonly Change[] {
  const path = stepAt(document, step);
  const from = step.at(-1) ?? '';
  if (from === to) return [];
  const body = path.slice(0, -2);
  const holder = valueAt(document, body) ?? null;
  if (pathOfStep(holder, [to]) !== null)
    throw refusal(`there is a step "${to}" already`, 'choose another id');
  const changes: Change[] = [{ op: 'set', path: [...path, 'id'], value: to }];
  listAt(holder, ['cables']).forEach((cable, index) => {
    for (const end of ['from', 'to'] as const) {
      const ref = isMap(cable) ? cable[end] : undefined;
      if (typeof ref !== 'string' || endOf(ref) !== from) continue;
      changes.push({ op: 'set', path: [...body, 'cables', index, end], value: to + ref.slice(from.length) });
    }
  });
  const result = body.length === 0 ? 'returns' : 'output';
  if (isMap(holder) && ownValue(holder, result) === from)
    changes.push({ op: 'set', path: [...body, result], value: to });
  return [...changes, ...textsIn({ holder, body, from, to, renamed })];
}

interface Rename {
  readonly holder: Json;
  readonly body: ValuePath;
  readonly from: string;
  readonly to: string;
  readonly renamed: RenamedTexts;
}

/**
 * The texts of a body and its nested bodies. In a body that has its own step with that id, the id means that
 * step.
 */
function textsIn({ holder, body, from, to, renamed }: Rename): readonly Change[] {
  return listAt(holder, ['steps']).flatMap((step, index): readonly Change[] => {
    const path = [...body, 'steps', index];
    const texts = renamed(step, from, to).map(
      (one): Change => ({ op: 'set', path: [...path, ...one.path], value: one.text }),
    );
    const inner = valueAt(step, BODY);
    if (!isMap(inner) || pathOfStep(inner, [from]) !== null) return texts;
    return [...texts, ...textsIn({ holder: inner, body: [...path, ...BODY], from, to, renamed })];
  });
}

function moveStep(
  document: Json,
  { step, position }: WorkflowEdit & { kind: 'step.move' },
): readonly Change[] {
  const path = [...stepAt(document, step), 'position'];
  const was = valueAt(document, path);
  if (!isMap(was))
    return [{ op: 'set', path, value: position, after: keysBefore(STEP_KEYS, 'position'), line: true }];
  return (['x', 'y'] as const)
    .filter((key) => was[key] !== position[key])
    .map((key) => ({ op: 'set', path: [...path, key], value: position[key] }));
}

/** The place of a value edit. Values with their own kind of edit cannot be changed this way. */
function placeOf(document: Json, { step, path }: { step: StepPath; path: ValuePath }): ValuePath {
  const [first, second, third] = path;
  const body = step.length === 0 ? first : first === 'config' && second === 'body' ? third : undefined;
  const kept = step.length > 0 && path.length === 1 && first === 'id';
  if (kept) throw refusal('the id of a step is no value to set', 'rename the step');
  if (body === 'steps' || body === 'cables')
    throw refusal('steps and cables are not values to set', 'add, change or remove them one by one');
  return step.length === 0 ? path : [...stepAt(document, step), ...path];
}

function setValue(document: Json, edit: WorkflowEdit & { kind: 'value.set' }): readonly Change[] {
  const path = placeOf(document, edit);
  if (same(valueAt(document, path), edit.value)) return [];
  const keys = edit.step.length === 0 ? WORKFLOW_KEYS : STEP_KEYS;
  const after = edit.path.length === 1 ? keysBefore(keys, edit.path[0]) : [];
  return [setting(document, path, { value: edit.value, after })];
}

function unsetValue(document: Json, edit: WorkflowEdit & { kind: 'value.unset' }): readonly Change[] {
  const path = placeOf(document, edit);
  const holder = valueAt(document, path.slice(0, -1));
  if (Array.isArray(holder)) throw refusal(`${shown(path)} is an entry of a list`, 'remove it from the list');
  return valueAt(document, path) === undefined ? [] : [{ op: 'unset', path }];
}

type ListEdit = WorkflowEdit & { kind: 'list.insert' | 'list.remove' | 'list.move' };

function changeList(document: Json, edit: ListEdit): readonly Change[] {
  const path = placeOf(document, edit);
  if (edit.kind === 'list.insert') return [inserting(document, path, edit)];
  const { length } = listAt(document, path);
  const last = edit.kind === 'list.move' ? Math.max(edit.at, edit.to) : edit.at;
  if (last >= length) throw noPlace(`${shown(path)} has no entry ${last}`);
  if (edit.kind === 'list.remove') return [{ op: 'remove', path, at: edit.at }];
  return edit.at === edit.to ? [] : [{ op: 'move', path, at: edit.at, to: edit.to }];
}

type CableEdit = WorkflowEdit & { kind: 'cable.add' | 'cable.remove' | 'cable.reconnect' };

function changeCable(document: Json, edit: CableEdit): readonly Change[] {
  const { from, to } = edit;
  const path = [...bodyAt(document, edit.body), 'cables'];
  const cables = listAt(document, path);
  const find = (ends: { from: string; to: string }): number =>
    cables.findIndex((cable) => isMap(cable) && cable.from === ends.from && cable.to === ends.to);
  const at = find(edit);
  const after = keysBefore(keysOf(edit.body), 'cables');
  if (edit.kind === 'cable.add') {
    if (at >= 0) throw refusal(`there is a cable from ${from} to ${to} already`, 'keep that one');
    return [inserting(document, path, { value: { from, to }, after })];
  }
  if (at < 0) throw noPlace(`there is no cable from ${from} to ${to}`);
  if (edit.kind === 'cable.remove') return [{ op: 'remove', path, at }];
  const ends = { from: edit.newFrom ?? from, to: edit.newTo ?? to };
  if (find(ends) >= 0 && find(ends) !== at)
    throw refusal(`there is a cable from ${ends.from} to ${ends.to} already`, 'remove this one');
  return (['from', 'to'] as const)
    .filter((end) => ends[end] !== edit[end])
    .map((end) => ({ op: 'set', path: [...path, at, end], value: ends[end] }));
}

function same(one: Json | undefined, other: Json): boolean {
  if (one === undefined || typeof one !== 'object' || typeof other !== 'object') return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** `steps[1].config.re_prompts[0]`. */
export const shown = (path: ValuePath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '') || 'the file';
