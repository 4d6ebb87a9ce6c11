import type { Json } from '@contract/ids';
import type { ProcedureOutput } from '@contract/ipc';
import { ownValue, setOwnValue } from '@contract/own';
import { pathOfStep } from '../../../../contract/apply-edit';
import { isMap, type JsonMap, valueAt } from '../../../../contract/change';
import type { WorkflowEdit } from '../../../../contract/edit';
import { fieldsOf } from '../../step-panel/fields/fields';
import type { CanvasStep } from '../graph/graph';
import type { Point } from '../layout/place';
import { bodyPath, firstFit, keyIn } from './wiring';

export type StepType = ProcedureOutput<'step.types'>[number];

/** A body cannot be empty: it begins with one step of this type. */
const FIRST_TYPE = 'step.agent_task';
const FIRST_TITLE = 'Agent task';
/** The initial value of a required number. */
const SOME = 3;

/** A body of the file, or the whole workflow, unparsed. */
export function bodyIn(document: Json, body: readonly string[]): Json {
  if (body.length === 0) return document;
  const path = pathOfStep(document, body);
  return path === null ? null : (valueAt(document, [...path, 'config', 'body']) ?? null);
}

const listOf = (holder: Json, key: string): readonly Json[] => {
  const list = isMap(holder) ? ownValue(holder, key) : undefined;
  return Array.isArray(list) ? list : [];
};

/** The raw steps of a body. */
export const stepsIn = (document: Json, body: readonly string[]): readonly JsonMap[] =>
  listOf(bodyIn(document, body), 'steps').filter(isMap);

/** All ids of a body, and ids that only its cables name: a new step must not get one of them. */
export function takenIds(document: Json, body: readonly string[]): Set<string> {
  const ends = listOf(bodyIn(document, body), 'cables').flatMap((cable) =>
    isMap(cable) ? [cable.from, cable.to].map((end) => String(end).split('.')[0] ?? '') : [],
  );
  return new Set([...stepsIn(document, body).map(({ id }) => String(id)), ...ends]);
}

/** A free id derived from the wanted one. */
export function freshId(taken: ReadonlySet<string>, wanted: string): string {
  const plain = wanted
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 60);
  const base = plain === '' ? 'step' : plain;
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** `step.agent_task` becomes `agent_task`. */
const idFor = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

/** A title that no other step of the body has. */
function freshTitle(steps: readonly JsonMap[], wanted: string): string {
  const taken = new Set(steps.map(({ title }) => title));
  let title = wanted;
  for (let number = 2; taken.has(title); number += 1) title = `${wanted} ${number}`;
  return title;
}

/** The agent of the last step in the file that has one: a new step gets the same. */
export function lastAgent(document: Json, body: readonly string[] = []): string | null {
  for (const { id, config } of [...stepsIn(document, body)].reverse()) {
    if (!isMap(config)) continue;
    const { acp_profile_id: agent } = config;
    if (typeof agent === 'string') return agent;
    const inner = isMap(config.body) ? lastAgent(document, [...body, String(id)]) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** The required fields of a new step, with defaults. Required texts are left to the operator. */
export function starterConfig(schema: Json, agent: string | null): JsonMap {
  const named: JsonMap = agent === null ? {} : { acp_profile_id: agent };
  const config: JsonMap = {};
  for (const { key, required, fallback, of } of fieldsOf(schema)) {
    if (key === 'acp_profile_id') Object.assign(config, named);
    if (!required || fallback !== undefined) continue;
    if (of.kind === 'number')
      setOwnValue(config, key, Math.max(of.min ?? SOME, Math.min(of.max ?? SOME, SOME)));
    if (of.kind === 'choice') setOwnValue(config, key, of.options[0] ?? '');
  }
  const properties = isMap(schema) ? schema.properties : undefined;
  if (!isMap(properties) || ownValue(properties, 'body') === undefined) return config;
  // In a step with a body, the inner steps have agents; the step itself has none.
  const { acp_profile_id: _, ...outer } = config;
  return {
    ...outer,
    body: { steps: [{ id: idFor(FIRST_TYPE), type: FIRST_TYPE, title: FIRST_TITLE, config: named }] },
  };
}

interface Addition {
  readonly document: Json;
  readonly type: StepType;
  /** The step before the new one, with a cable from it. */
  readonly after: CanvasStep | null;
  /** If the new step follows no step: the key of the step whose body it is added to. */
  readonly parent?: string | null;
  readonly position?: Point;
}

/** A new step of a type, with its key. */
export function additionOf({ document, type, after, parent = null, position }: Addition): {
  readonly key: string;
  readonly edits: readonly WorkflowEdit[];
} {
  const body = bodyPath(after === null ? parent : after.parent);
  const id = freshId(takenIds(document, body), idFor(type.type));
  const config = starterConfig(type.configSchema, lastAgent(document));
  const place: JsonMap = position === undefined ? {} : { position: { ...position } };
  const steps = stepsIn(document, body);
  const step = { id, type: type.type, title: freshTitle(steps, type.title), ...place, config };
  const at = after === null ? -1 : steps.findIndex((one) => one.id === after.id);
  const edits: WorkflowEdit[] = [{ kind: 'step.add', body, step, ...(at < 0 ? {} : { at: at + 1 }) }];
  const fit = after === null ? null : firstFit(after.outputs, type.ports.inputs);
  if (after !== null && fit !== null)
    edits.push({ kind: 'cable.add', body, from: `${after.id}.${fit.from}`, to: `${id}.${fit.to}` });
  return { key: keyIn(body, id), edits };
}
